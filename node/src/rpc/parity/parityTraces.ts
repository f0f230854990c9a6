import type { Receipt } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { tracePathCodec } from '../codec/tracePath.ts';
import { RawJson } from '../rawJson.ts';
import { type RpcCall, type RpcMethod, resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';
import { asTraced } from '../tracing/tracedBlocks.ts';
import { type TracedRecord, tracedJob, tracedTransaction } from '../tracing/traceTarget.ts';
import { FLAT_CONFIG, OF_BLOCKS, type ReplayDeps } from './replayConfig.ts';

/** Traces as Parity and Erigon give them, under the limits of `debug_trace…` (spec R-24). */
export const PARITY_TRACES: readonly RpcMethod[] = [
  rpcMethod({
    name: 'trace_block',
    summary: "Flat traces of all EVM transactions of a block, in Parity's form; blocks pay no rewards here",
    params: [resolved(param('block', blockIdCodec), asTraced)],
    result: arrayOf(ref('ParityTrace')),
    ...OF_BLOCKS,
    handle: (deps, [record], call) => flatTraces(deps, { record, receipts: listedReceipts(record) }, call),
  }),
  rpcMethod({
    name: 'trace_transaction',
    summary: "Flat traces of a transaction, in Parity's form; null when there is no such EVM transaction",
    params: [param('transactionHash', hashCodec)],
    result: nullable(arrayOf(ref('ParityTrace'))),
    ...OF_BLOCKS,
    handle: (deps, [hash], call) => {
      const found = tracedTransaction(deps, hash);
      return found ? flatTraces(deps, found, call) : null;
    },
  }),
  rpcMethod({
    name: 'trace_get',
    summary: 'The flat trace at a place in the tree of a transaction; null when nothing is there',
    params: [param('transactionHash', hashCodec), param('path', tracePathCodec)],
    result: nullable(ref('ParityTrace')),
    ...OF_BLOCKS,
    handle: async (deps, [hash, path], call) => {
      const found = tracedTransaction(deps, hash);
      if (!found) return null;
      const { base, traced } = tracedJob(deps, found, FLAT_CONFIG);
      const json = await deps.traces.run('traceAt', base, { params: { traced, path }, signal: call.signal });
      return json === undefined ? null : new RawJson(json);
    },
  }),
];

async function flatTraces(
  deps: ReplayDeps,
  found: TracedRecord & { readonly receipts: readonly Receipt[] },
  { signal }: Pick<RpcCall, 'signal'>,
): Promise<RawJson> {
  if (found.receipts.length === 0) return new RawJson('[]');
  const { base, traced } = tracedJob(deps, found, FLAT_CONFIG);
  return new RawJson(await deps.traces.run('flatTraces', base, { params: { traced }, signal }));
}
