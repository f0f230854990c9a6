import { type EvmBlock, type EvmState, type EvmTracer, recoverAuthority } from '../../evm/index.ts';
import type { MessageToExecute } from './executeMessage.ts';

/** A message as it was sent: nothing of it has happened yet. */
export type TracedMessage = Pick<
  MessageToExecute,
  'sender' | 'to' | 'data' | 'value' | 'gasLimit' | 'price' | 'authorizationList'
>;

/** Tells the tracer of a transaction before its gas is bought. */
export function tellStart(
  tracer: EvmTracer | undefined,
  message: TracedMessage,
  { state, block }: { readonly state: EvmState; readonly block: EvmBlock },
): void {
  if (!tracer?.onStart) return;
  const { sender, to, data, value, gasLimit, price, authorizationList } = message;
  const authorities = authorizationList.map((authorization) => recoverAuthority(authorization));
  tracer.onStart({
    state,
    fork: block.fork,
    sender,
    to,
    data,
    value,
    gasLimit,
    gasPrice: price,
    coinbase: block.coinbase,
    blockNumber: block.number,
    authorities: authorities.filter((authority) => authority !== undefined),
  });
}
