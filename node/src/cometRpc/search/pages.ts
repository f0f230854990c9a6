import { rpcFailure } from '../rpcFailure.ts';

const PER_PAGE = { absent: 30, max: 100 };

/** How many entries a page has: 30, at most 100. */
export function pageSize(perPage: number | undefined): number {
  if (perPage === undefined || perPage < 1) return PER_PAGE.absent;
  return Math.min(perPage, PER_PAGE.max);
}

/** One page of a list; pages begin at 1. Throws when there is no such page. */
export function pageOf<T>(
  list: readonly T[],
  { page, perPage }: { readonly page: number | undefined; readonly perPage: number | undefined },
): T[] {
  const size = pageSize(perPage);
  const pages = Math.max(1, Math.ceil(list.length / size));
  if (page !== undefined && (page <= 0 || page > pages)) {
    throw rpcFailure(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const start = ((page ?? 1) - 1) * size;
  return list.slice(start, start + size);
}

/** Sorts a list that ascends. Throws for an order that does not exist. */
export function inOrder<T>(list: readonly T[], order: string, absent: 'asc' | 'desc'): readonly T[] {
  const wanted = order === '' ? absent : order;
  if (wanted === 'asc') return list;
  if (wanted === 'desc') return [...list].reverse();
  throw rpcFailure('expected order_by to be either `asc` or `desc` or empty');
}
