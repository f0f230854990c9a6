import { toHexData } from '../../primitives/index.ts';
import { formatLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { Filter } from './filterTable.ts';

/** What came since the last poll, oldest first; moves the cursor behind the newest block. */
export function filterChanges(deps: RpcDeps, filter: Filter): unknown[] {
  const { chain, history } = deps;
  const from = Math.max(filter.cursor, history.earliestHeight);
  const to = chain.height;
  filter.cursor = to + 1;
  if (from > to) return [];
  if (filter.kind === 'blocks') {
    return Array.from({ length: to - from + 1 }, (_, i) =>
      toHexData(history.blockByHeight(from + i)!.block.id.hash),
    );
  }
  const { addresses, topics, to: end } = filter.criteria;
  const last = typeof end === 'number' ? Math.min(end, to) : to;
  return from > last
    ? []
    : history.logs({ fromHeight: from, toHeight: last, addresses, topics }).map(formatLog);
}
