import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { DEFAULT_TRACE_CONFIG } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import { RawJson } from '../rawJson.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { type RpcCall, type RpcMethod, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';
import { blockToTrace, stateBefore, tracedBlock } from '../tracing/traceTarget.ts';

const CONFIG = {
  ...DEFAULT_TRACE_CONFIG,
  tracer: 'flatCallTracer',
  tracerConfig: { convertParityErrors: true },
};
const common = {
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
} as const;

/** Traces as Parity and Erigon give them, under the limits of `debug_trace…` (spec R-24). */
export const PARITY_TRACES: readonly RpcMethod[] = [
  rpcMethod({
    name: 'trace_block',
    summary: "Flat traces of all EVM transactions of a block, in Parity's form; blocks pay no rewards here",
    params: [param('block', blockIdCodec)],
    result: arrayOf(ref('ParityTrace')),
    ...common,
    handle: (deps, [id], call) => {
      const record = blockToTrace(deps, id);
      return flatTraces(deps, { record, receipts: listedReceipts(record) }, call);
    },
  }),
  rpcMethod({
    name: 'trace_transaction',
    summary: "Flat traces of a transaction, in Parity's form; null when there is no such EVM transaction",
    params: [param('transactionHash', hashCodec)],
    result: nullable(arrayOf(ref('ParityTrace'))),
    ...common,
    handle: (deps, [hash], call) => {
      const found = deps.history.transactionByHash(hash);
      if (!found || found.receipt.type === SYNTHETIC_TYPE) return null;
      const record = blockToTrace(deps, found.record.block.header.height);
      return flatTraces(deps, { record, receipts: [found.receipt] }, call);
    },
  }),
];

async function flatTraces(
  deps: RpcDeps,
  { record, receipts }: { readonly record: BlockRecord; readonly receipts: readonly Receipt[] },
  call: RpcCall,
): Promise<RawJson> {
  if (receipts.length === 0) return new RawJson('[]');
  const base = stateBefore(deps, record.block.header.height);
  const traced = tracedBlock(record, receipts, { config: CONFIG, limits: deps.limits });
  return new RawJson(await deps.traces.flat(base, traced, call));
}
