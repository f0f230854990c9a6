import { unwrapEvmTransaction } from '../evm/index.ts';
import { toHexData, toHexQuantity } from '../primitives/index.ts';
import type { Receipt } from '../types/index.ts';
import { replayJson } from './replayTracer.ts';
import type { TraceConfig } from './traceConfig.ts';
import { type TracePlace, tracingFailed } from './tracer.ts';

const FUNDS = /^insufficient funds/;

/**
 * The trace of a transaction that was refused before anything of it ran (spec R-25): a lone frame from the
 * call tracers, nothing from the others when money was short, and else an error.
 */
export function refusedTrace(
  { raw, receipt }: { readonly raw: Uint8Array; readonly receipt: Pick<Receipt, 'from' | 'vmError'> },
  { tracer, replay }: Pick<TraceConfig, 'tracer' | 'replay'>,
  place: TracePlace,
): string {
  const error = receipt.vmError;
  const isCall = tracer === 'callTracer';
  if (!isCall && !replay && tracer !== 'flatCallTracer') {
    if (FUNDS.test(error)) return '{}';
    throw tracingFailed(`tracing failed: ${error}`);
  }
  const { to, data, value, gasLimit } = unwrapEvmTransaction(raw)!;
  const frame = {
    from: toHexData(receipt.from),
    gas: toHexQuantity(gasLimit),
    ...(to && { to: toHexData(to) }),
    value: toHexQuantity(value),
  };
  const type = to ? 'CALL' : 'CREATE';
  const input = toHexData(data);
  if (isCall) {
    const { from, gas, value: sent, ...target } = frame;
    return JSON.stringify({ from, gas, gasUsed: '0x0', ...target, input, error, value: sent, type });
  }
  const action = to
    ? { callType: 'call', ...frame, input }
    : { creationMethod: 'create', ...frame, init: input };
  const flat = {
    action,
    blockHash: place.blockHash ? toHexData(place.blockHash) : null,
    blockNumber: place.blockNumber ?? 0,
    error,
    subtraces: 0,
    traceAddress: [],
    transactionHash: place.transactionHash ? toHexData(place.transactionHash) : null,
    transactionPosition: place.transactionIndex ?? 0,
    type: type.toLowerCase(),
  };
  if (!replay) return JSON.stringify([flat]);
  const stateDiff = replay.stateDiff ? '{}' : undefined;
  return replayJson({ output: new Uint8Array(0), trace: replay.trace ? [flat] : [], stateDiff });
}
