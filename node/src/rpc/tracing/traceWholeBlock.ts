import type { TraceConfig } from '../../tracing/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import type { BlockId } from '../codec/blockId.ts';
import { RawJson } from '../rawJson.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { blockToTrace, tracedJob } from './traceTarget.ts';

export interface BlockTraceWish {
  readonly id: BlockId;
  readonly config: TraceConfig;
  /** Leaves out transactions that cannot be traced. */
  readonly skipsFailed: boolean;
}

/** One entry for each EVM transaction of a block, in their order, with its trace or why there is none. */
export async function traceWholeBlock(
  deps: RpcDeps,
  { id, config, skipsFailed }: BlockTraceWish,
  call: Pick<RpcCall, 'signal'>,
): Promise<RawJson> {
  const record = blockToTrace(deps, id);
  const receipts = listedReceipts(record);
  if (receipts.length === 0) return new RawJson('[]');
  const { base, traced } = tracedJob(deps, { record, receipts }, config);
  return new RawJson(await deps.traces.block(base, { traced, skipsFailed }, call));
}
