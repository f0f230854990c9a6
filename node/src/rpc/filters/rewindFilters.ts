import { formatRemovedLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { Filter, FilterTable, LogNamespace } from './filterTable.ts';

type Deps = Pick<RpcDeps, 'chain' | 'history' | 'limits'> & { readonly filters: FilterTable };
type LogFilter = Extract<Filter, { readonly kind: 'logs' }>;

/**
 * Blocks above `height` are about to go: reads what filters have to tell of them. What it gives is called once they
 * are gone; filters then go on with what comes in their place, after the logs of the old ones as removed.
 */
export async function rewindFilters(deps: Deps, height: number): Promise<() => void> {
  const moves: (() => void)[] = [];
  for (const { filter, namespace } of deps.filters.installed()) {
    if (filter.kind === 'transactions') continue;
    const removed = filter.kind === 'logs' ? await removedLogs(deps, { filter, namespace, height }) : [];
    moves.push(() => {
      // Behind a poll that is under way, which moves the cursor too.
      filter.polling = filter.polling.then(() => rewindFilter(filter, height, removed));
    });
  }
  return () => {
    for (const move of moves) move();
  };
}

interface RemovedLog {
  readonly blockNumber: number;
  readonly json: unknown;
}

/** Newest first, as geth gives them; an error where they are too many. */
type Removed = readonly RemovedLog[] | Error;

async function removedLogs(
  { chain, history, limits }: Deps,
  { filter, namespace, height }: { filter: LogFilter; namespace: LogNamespace; height: number },
): Promise<Removed> {
  const { addresses, topics, to, blockHash } = filter.criteria;
  const one = blockHash && history.blockByHash(blockHash)?.block.header.height;
  if (blockHash && one === undefined) return [];
  const begin = Math.max(height + 1, one ?? beginOf(filter));
  const end = Math.min(chain.height, one ?? (typeof to === 'number' ? to : chain.height));
  const logs = await history.logs({
    addresses,
    topics,
    includeSynthetic: namespace === 'chain',
    fromHeight: begin,
    toHeight: end,
    limit: limits.maxLogs + 1,
  });
  if (logs.length > limits.maxLogs) {
    return serverError(
      `more than ${limits.maxLogs} logs of this filter were taken back with the blocks above ${height}; read them anew from there`,
    );
  }
  return logs.reverse().map((log) => ({ blockNumber: log.blockNumber, json: formatRemovedLog(log) }));
}

function rewindFilter(filter: Filter, height: number, removed: Removed): void {
  if (removed instanceof Error) filter.failure = removed;
  else {
    // What a poll had not given yet has not been there.
    for (const { blockNumber, json } of removed) if (blockNumber < filter.cursor) filter.removed.push(json);
  }
  const isSpent = filter.cursor === Number.POSITIVE_INFINITY;
  if (!isSpent) filter.cursor = Math.min(filter.cursor, Math.max(height + 1, beginOf(filter)));
}

/** The lowest height that a filter ever tells of. */
function beginOf(filter: Filter): number {
  const from = filter.kind === 'logs' ? filter.criteria.from : 0;
  return typeof from === 'number' ? from : 0;
}
