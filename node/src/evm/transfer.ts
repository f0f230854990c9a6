import { bytesToHex } from '../primitives/index.ts';
import type { EvmExecutionResult, EvmHost, EvmMessage } from './evmEngine.ts';
import { isStandardPrecompile } from './precompile/standardAddresses.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * A message to an account without code runs nothing: it is done here, without an engine and with the same
 * outcome. `undefined` when code or a precompile has to run, or a contract is created.
 */
export function executeTransfer(message: EvmMessage, host: EvmHost): EvmExecutionResult | undefined {
  const { to, caller, value } = message;
  if (to === null || !isPlainTarget(to, host)) return undefined;
  const { state, tracer } = host;
  tracer?.onEnter?.({
    kind: 'CALL',
    depth: 0,
    from: caller,
    to,
    input: message.data,
    gas: message.gasLimit,
    value,
  });
  const balance = state.balance(caller);
  const error = balance < value ? 'insufficient balance for transfer' : undefined;
  if (!error && value > 0n) {
    state.setBalance(caller, balance - value);
    state.setBalance(to, state.balance(to) + value);
  }
  tracer?.onExit?.({ depth: 0, output: NO_BYTES, gasUsed: 0n, error });
  return {
    error,
    returnData: NO_BYTES,
    gasUsed: 0n,
    gasRefund: 0n,
    logs: [],
    createdAddress: undefined,
  };
}

function isPlainTarget(to: Uint8Array, { state, precompiles, block }: EvmHost): boolean {
  if (state.codeSize(to) > 0) return false;
  const named = precompiles.get(bytesToHex(to));
  if (named) return !('run' in named) && named.standard === undefined;
  return !isStandardPrecompile(to, block.fork);
}
