import type { BlockRecord, Receipt } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { blockToTrace, type TraceReads } from './traceTarget.ts';

const SHARE_MS = 5;

/** A block that has transactions. */
interface BlockWithTransactions {
  readonly height: number;
  readonly record: BlockRecord;
  /** Of its EVM transactions. */
  readonly receipts: readonly Receipt[];
}

/**
 * The blocks from one height to another, upwards or downwards, that have transactions. The event loop gets its
 * turns. Throws −32000 for one that cannot be traced, and once the time of a trace is over or nobody waits any more.
 */
export async function* tracedHeights(
  deps: TraceReads & Pick<RpcDeps, 'turns'>,
  { from, to }: { readonly from: number; readonly to: number },
  { signal }: Pick<RpcCall, 'signal'>,
): AsyncGenerator<BlockWithTransactions> {
  const step = from <= to ? 1 : -1;
  const endsAt = performance.now() + deps.limits.tracing.callTimeoutMs;
  const share = deps.turns.share(SHARE_MS);
  for (let height = from; height !== to + step; height += step) {
    if (share.isOver) await share.next();
    if (signal.aborted || performance.now() > endsAt) {
      throw serverError(`the time of one trace was over at block ${height}; ask again from there`);
    }
    const record = blockToTrace(deps, height);
    if (record.block.txs.length > 0) yield { height, record, receipts: listedReceipts(record) };
  }
}
