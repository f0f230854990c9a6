import {
  applyAuthorizations,
  type EvmBlock,
  type EvmEngine,
  type EvmExecutionResult,
  type EvmHost,
  type EvmState,
  type EvmTracer,
  type EvmTransaction,
  executeTransfer,
  floorGas,
  type Interrupt,
  type PrecompileTable,
  settledGas,
  warmInitialAccess,
} from '../../evm/index.ts';

/** What messages run with. */
export interface MessageScope {
  readonly state: EvmState;
  readonly block: EvmBlock;
  readonly engine: EvmEngine;
  readonly precompiles: PrecompileTable;
  readonly tracer?: EvmTracer | undefined;
  /** See `EvmHost.interrupt`. */
  readonly interrupt?: Interrupt | undefined;
  /** See `EvmHost.onBurn`. */
  readonly onBurn?: EvmHost['onBurn'];
}

/** min(base fee + tip, fee cap). */
export function effectiveGasPrice(
  fees: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint },
  baseFee: bigint,
): bigint {
  const wanted = baseFee + fees.maxPriorityFeePerGas;
  return wanted < fees.maxFeePerGas ? wanted : fees.maxFeePerGas;
}

/** What is executed once the ante stage is over. */
export interface MessageToExecute
  extends Pick<EvmTransaction, 'to' | 'value' | 'data' | 'gasLimit' | 'accessList' | 'authorizationList'> {
  readonly sender: Uint8Array;
  readonly intrinsicGas: bigint;
  readonly price: bigint;
}

/**
 * Authorizations, warm set, the message itself, and the gas it costs in the end. The sender's nonce has moved
 * already. `gasBeforeRefund` is what had to be there while it ran.
 */
export async function executeMessage(
  message: MessageToExecute,
  scope: MessageScope,
): Promise<{ execution: EvmExecutionResult; gasUsed: bigint; gasBeforeRefund: bigint }> {
  const { state, block, engine, precompiles, tracer, interrupt, onBurn } = scope;
  const { sender, to, value, data } = message;
  state.beginTransaction();
  const authorizationRefund = applyAuthorizations(state, message.authorizationList, block.chainId);
  const { fork, coinbase } = block;
  warmInitialAccess(state, { sender, to, coinbase, accessList: message.accessList, fork });
  const host: EvmHost = { state, block, precompiles, interrupt, onBurn, ...(tracer && { tracer }) };
  const call = {
    caller: sender,
    to,
    value,
    data,
    gasLimit: message.gasLimit - message.intrinsicGas,
    gasPrice: message.price,
  };
  const execution = executeTransfer(call, host) ?? (await engine.execute(call, host));
  const gasBeforeRefund = message.intrinsicGas + execution.gasUsed;
  const refund = execution.gasRefund + authorizationRefund;
  const gasUsed = settledGas({ gas: gasBeforeRefund, refund, floor: floorGas(data, fork) }, fork);
  return { execution, gasUsed, gasBeforeRefund };
}
