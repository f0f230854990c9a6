import { type LogMatch, matchingLogs } from '../../history/index.ts';
import { toHexData } from '../../primitives/index.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import { formatLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import type { Filter } from './filterTable.ts';

type Deps = Pick<RpcDeps, 'chain' | 'history' | 'limits'>;
type LogFilter = Extract<Filter, { readonly kind: 'logs' }>;

/** What came since the last poll, oldest first; moves the cursor behind what it gives (service.md, Log filter lifecycle). */
export async function filterChanges(deps: Deps, filter: Filter): Promise<unknown[]> {
  if (filter.kind === 'logs') return (await newLogs(deps, filter)).map(formatLog);
  const { chain, history } = deps;
  const from = firstHeight(filter, history);
  const count = Math.max(0, chain.height - from + 1);
  filter.cursor = chain.height + 1;
  return Array.from({ length: count }, (_, i) => toHexData(history.blockByHeight(from + i)!.block.id.hash));
}

/** Throws −32000 when blocks since the last poll were pruned; the next poll goes on with what is left. */
function firstHeight(filter: Filter, { earliestHeight }: RpcDeps['history']): number {
  const { cursor } = filter;
  // Block 0 holds nothing: a history that begins at 1 is whole.
  if (cursor >= earliestHeight || earliestHeight <= 1) return Math.max(cursor, earliestHeight);
  filter.cursor = earliestHeight;
  throw serverError(
    `blocks ${cursor} to ${earliestHeight - 1} of this filter have been pruned; earliest available is ${earliestHeight}, and the next poll goes on there`,
  );
}

async function newLogs({ chain, history, limits }: Deps, filter: LogFilter): Promise<LogMatch[]> {
  const { addresses, topics, blockHash, from: begin, to: end } = filter.criteria;
  if (blockHash) return logsOfBlock(history, filter, blockHash);
  if (typeof begin === 'number' && typeof end === 'number' && begin > end) {
    throw serverError(`requested fromBlock ${begin} is greater than toBlock ${end}`);
  }
  const from = firstHeight(filter, history);
  const to = typeof end === 'number' ? Math.min(end, chain.height) : chain.height;
  filter.cursor = chain.height + 1;
  if (from > to) return [];
  const found = await history.logs({
    fromHeight: from,
    toHeight: to,
    addresses,
    topics,
    limit: limits.logsMax + 1,
  });
  if (found.length <= limits.logsMax) return found;
  // The rest comes with the next poll, which begins with the block that did not fit whole.
  const next = found.at(-1)!.blockNumber;
  const whole = found.filter(({ blockNumber }) => blockNumber < next);
  filter.cursor = whole.length > 0 ? next : next + 1;
  return whole.length > 0 ? whole : history.logs({ fromHeight: next, toHeight: next, addresses, topics });
}

/** One block: its logs come once. */
function logsOfBlock(
  history: RpcDeps['history'],
  filter: LogFilter,
  blockHash: NonNullable<LogCriteria['blockHash']>,
): LogMatch[] {
  const isPolled = filter.cursor === Number.POSITIVE_INFINITY;
  const record = isPolled ? undefined : history.blockByHash(blockHash);
  filter.cursor = Number.POSITIVE_INFINITY;
  return record ? [...matchingLogs(record, filter.criteria)] : [];
}
