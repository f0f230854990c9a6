import { EVMError, type ExecResult, type Message, type PrecompileFunc } from '@ethereumjs/evm';
import type { EvmHost } from '../evmEngine.ts';
import type { Precompile } from '../precompile/precompile.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * One of this chain's precompiles as the library calls it. The library does not hand over the call itself, so
 * `currentMessage` gives the message that was announced last, which is the one that reached the precompile.
 */
export function libraryPrecompile(
  precompile: Precompile,
  host: EvmHost,
  currentMessage: () => Message,
): PrecompileFunc {
  return ({ data, gasLimit }): ExecResult => {
    const message = currentMessage();
    const { status, returnData, gasUsed, logs } = precompile.run(data, {
      caller: message.caller.bytes,
      value: message.value,
      isStatic: message.isStatic,
      isDelegated: message.delegatecall || !message.codeAddress.equals(message.to ?? message.codeAddress),
      gasLimit,
      state: host.state,
      block: host.block,
    });
    if (gasUsed > gasLimit) return failure(errorMessages.OUT_OF_GAS, gasLimit, NO_BYTES);
    if (status === 'reverted') return failure(errorMessages.REVERT, gasUsed, returnData);
    return {
      executionGasUsed: gasUsed,
      returnValue: returnData,
      logs: (logs ?? []).map(({ address, topics, data: logData }) => [address, [...topics], logData]),
    };
  };
}

const { errorMessages } = EVMError;

function failure(error: EVMError['error'], gasUsed: bigint, returnValue: Uint8Array): ExecResult {
  return { executionGasUsed: gasUsed, returnValue, exceptionError: new EVMError(error) };
}
