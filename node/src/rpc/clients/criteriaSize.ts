import type { LogCriteria } from '../codec/logQuery.ts';
import { serverError } from '../rpcError.ts';

/** A filter or subscription with its entries in tables, measured. */
const ENTRY_BYTES = 512;
/** An address or topic: the view of its bytes takes more than they do. */
const ITEM_BYTES = 160;

/** About what a filter or subscription with these criteria takes in memory. */
export function criteriaBytes(criteria: LogCriteria | undefined): number {
  if (!criteria) return ENTRY_BYTES;
  const topics = criteria.topics.reduce((sum, position) => sum + (position?.length ?? 0), 0);
  return ENTRY_BYTES + ITEM_BYTES * (criteria.addresses.length + topics);
}

/** Throws −32000, in the first words of geth, for more addresses or topics in one position than that. */
export function requireNarrow({ addresses, topics }: LogCriteria, maxItems: number): void {
  const most = Math.max(addresses.length, ...topics.map((position) => position?.length ?? 0));
  if (most <= maxItems) return;
  throw serverError(
    `exceed max addresses or topics per search position: ${most} are more than evm.log_query_limit, ${maxItems}; ask for fewer at a time`,
  );
}
