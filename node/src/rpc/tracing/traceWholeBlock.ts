import type { TraceConfig } from '../../tracing/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { RawJson } from '../rawJson.ts';
import type { RpcCall, Uses } from '../rpcMethod.ts';
import { TRACE_READS, tracedJob } from './traceTarget.ts';

export const BLOCK_TRACE_USES = [...TRACE_READS, 'traces'] as const;

export interface BlockTraceWish {
  readonly record: BlockRecord;
  readonly config: TraceConfig;
  /** Leaves out transactions that cannot be traced. */
  readonly skipsFailed: boolean;
}

/** One entry for each EVM transaction of a block, in their order, with its trace or why there is none. */
export async function traceWholeBlock(
  deps: Uses<typeof BLOCK_TRACE_USES>,
  { record, config, skipsFailed }: BlockTraceWish,
  call: Pick<RpcCall, 'signal'>,
): Promise<RawJson> {
  const receipts = listedReceipts(record);
  if (receipts.length === 0) return new RawJson('[]');
  const { base, traced } = tracedJob(deps, { record, receipts }, config);
  return new RawJson(await deps.traces.block(base, { traced, skipsFailed }, call));
}
