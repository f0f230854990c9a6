import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { replayTypesCodec } from '../codec/replayTypes.ts';
import { RawJson } from '../rawJson.ts';
import { type RpcMethod, resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';
import { asTraced } from '../tracing/tracedBlocks.ts';
import { tracedJob, tracedTransaction } from '../tracing/traceTarget.ts';
import { OF_BLOCKS, replayConfig } from './replayConfig.ts';

/** Transactions run again, as Parity and Erigon show them: output, flat trace, changes of state (spec R-23). */
export const PARITY_REPLAYS: readonly RpcMethod[] = [
  rpcMethod({
    name: 'trace_replayTransaction',
    summary: 'A transaction run again: output, flat trace, changes of state; null when there is no such one',
    params: [param('transactionHash', hashCodec), param('types', replayTypesCodec)],
    result: nullable(ref('Replay')),
    ...OF_BLOCKS,
    handle: async (deps, [hash, types], { signal }) => {
      const found = tracedTransaction(deps, hash);
      if (!found) return null;
      const { base, traced } = tracedJob(deps, found, replayConfig(types));
      return new RawJson(await deps.traces.run('traceTransaction', base, { params: { traced }, signal }));
    },
  }),
  rpcMethod({
    name: 'trace_replayBlockTransactions',
    summary: 'All EVM transactions of a block run again: output, flat trace, changes of state of each',
    params: [resolved(param('block', blockIdCodec), asTraced), param('types', replayTypesCodec)],
    result: arrayOf(ref('ReplayedTransaction')),
    ...OF_BLOCKS,
    handle: async (deps, [record, types], { signal }) => {
      const receipts = listedReceipts(record);
      if (receipts.length === 0) return [];
      const { base, traced } = tracedJob(deps, { record, receipts }, replayConfig(types));
      return new RawJson(await deps.traces.run('replays', base, { params: { traced }, signal }));
    },
  }),
];
