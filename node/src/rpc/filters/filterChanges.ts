import { type LogPattern, matchingLogs } from '../../history/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { formatLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { Uses } from '../rpcMethod.ts';
import type { Filter } from './filterTable.ts';

export const FILTER_CHANGES_USES = [
  'chain',
  'history',
  'limits',
  'logNamespace',
  'recentTransactions',
  'turns',
] as const;
type Deps = Uses<typeof FILTER_CHANGES_USES>;
type LogFilter = Extract<Filter, { readonly kind: 'logs' }>;

/** The event loop gets its turn after so long. */
const TURN_MS = 3;

/** What a poll gives, and where the next one begins. */
interface Poll {
  readonly items: readonly unknown[];
  readonly cursor: number;
}

/**
 * What came since the last poll, oldest first; moves the cursor behind what it gives (spec R-21). Polls of one filter come one after the other, and one that fails moves nothing.
 */
export function filterChanges(deps: Deps, filter: Filter, signal: AbortSignal): Promise<readonly unknown[]> {
  const poll = async (): Promise<readonly unknown[]> => {
    const { failure } = filter;
    filter.failure = undefined;
    if (failure) throw failure;
    const { items, cursor } =
      filter.kind === 'logs' ? await newLogs(deps, filter, signal) : await newHashes(deps, filter);
    // While blocks are taken back the chain's height is below what was given.
    filter.cursor = Math.max(filter.cursor, cursor);
    return [...filter.removed.splice(0), ...items];
  };
  const polled = filter.polling.then(poll, poll);
  filter.polling = polled.catch(() => {});
  return polled;
}

async function newHashes(deps: Deps, filter: Filter): Promise<Poll> {
  if (filter.kind === 'blocks') return newBlocks(deps, filter);
  const { recentTransactions } = deps;
  return { items: recentTransactions.since(filter.cursor), cursor: recentTransactions.count };
}

async function newBlocks({ chain, history, turns }: Deps, filter: Filter): Promise<Poll> {
  const { height } = chain;
  const from = firstHeight(filter, history);
  const items: string[] = [];
  const share = turns.share(TURN_MS);
  for (let at = from; at <= height; at++) {
    if (share.isOver) await share.next();
    const record = history.blockByHeight(at);
    if (record) items.push(toHexData(record.block.id.hash));
  }
  return { items, cursor: height + 1 };
}

async function newLogs(deps: Deps, filter: LogFilter, signal: AbortSignal): Promise<Poll> {
  const { chain, history, limits, logNamespace } = deps;
  const { addresses, topics, blockHash, to: end } = filter.criteria;
  const pattern = { addresses, topics, includeSynthetic: logNamespace === 'chain' };
  if (blockHash) return logsOfBlock(history, filter, { pattern, blockHash });
  const { height } = chain;
  const cursor = height + 1;
  const from = firstHeight(filter, history);
  const to = typeof end === 'number' ? Math.min(end, height) : height;
  if (from > to) return { items: [], cursor };
  const limit = limits.maxLogs + 1;
  const found = await history.logs({ ...pattern, fromHeight: from, toHeight: to, limit, signal });
  if (found.length < limit) return { items: found.map(formatLog), cursor };
  // The rest comes with the next poll, which begins with the block that did not fit whole.
  const next = found.at(-1)!.blockNumber;
  const whole = found.filter(({ blockNumber }) => blockNumber < next);
  if (whole.length > 0) return { items: whole.map(formatLog), cursor: next };
  const block = await history.logs({ ...pattern, fromHeight: next, toHeight: next, signal });
  return { items: block.map(formatLog), cursor: next + 1 };
}

/** Throws −32000 when logs since the last poll were pruned; the next poll goes on with what is left. */
function firstHeight(filter: Filter, { earliestReceiptHeight: earliest }: RpcDeps['history']): number {
  const { cursor } = filter;
  // Block 0 holds nothing: a history that begins at 1 is whole.
  if (cursor >= earliest || earliest <= 1) return Math.max(cursor, earliest);
  filter.cursor = earliest;
  throw serverError(
    `blocks ${cursor} to ${earliest - 1} of this filter have been pruned; earliest available is ${earliest}, and the next poll goes on there`,
  );
}

/** One block: its logs come once. */
function logsOfBlock(
  history: RpcDeps['history'],
  filter: LogFilter,
  { pattern, blockHash }: { readonly pattern: LogPattern; readonly blockHash: Uint8Array },
): Poll {
  const isPolled = filter.cursor === Number.POSITIVE_INFINITY;
  const record = isPolled ? undefined : history.blockByHash(blockHash);
  const lowest = history.earliestReceiptHeight;
  if (record && record.block.header.height < lowest) {
    throw serverError(`the logs of this filter's block have been pruned; earliest available is ${lowest}`);
  }
  const items = record ? [...matchingLogs(record, pattern)].map(formatLog) : [];
  return { items, cursor: Number.POSITIVE_INFINITY };
}
