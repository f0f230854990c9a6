import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination';
import { prefixRange, type RowRange } from '../ledger/index.ts';
import { concatBytes } from '../primitives/index.ts';
import type { KeyRange } from '../state/view/index.ts';
import { queryErrors } from './queryErrors.ts';
import type { QueryScope } from './queryMethod.ts';

const DEFAULT_LIMIT = 100n;
/** Most items of one page; a client that asks for more gets so many, and the key of the next page. */
const MAX_PAGE_LIMIT = 5_000n;
/** Rows between two looks at the clock. */
const ROWS_A_CHECK = 256;
const NO_KEY = new Uint8Array(0);

export interface Page<T> {
  readonly items: T[];
  readonly pagination: PageResponse;
}

interface Plan {
  readonly key: Uint8Array | undefined;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/**
 * One page of rows as the Cosmos SDK's query.Paginate gives it: by the key of its first row, or by offset; `keep`
 * leaves rows out, and offset, limit and total count those that stay.
 */
export async function pageOf<T>(
  scope: QueryScope,
  rows: RowRange<T>,
  request: PageRequest | undefined,
  keep: (item: T) => boolean = () => true,
): Promise<Page<T>> {
  const plan = planOf(request);
  const window = new Window<T>(plan);
  let visited = 0;
  for await (const [key, value] of scope.iterate(rows.store, rangeOf(rows.prefix, plan))) {
    if (visited++ % ROWS_A_CHECK === 0) scope.checkTime();
    const item = rows.decode(key, value);
    if (keep(item) && !window.take(item, key.subarray(rows.prefix.length))) break;
  }
  return window.page();
}

/** The items of a page out of all that are shown to it. */
class Window<T> {
  readonly #plan: Plan;
  readonly #items: T[] = [];
  readonly #first: bigint;
  readonly #end: bigint;
  #nextKey = NO_KEY;
  #seen = 0n;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#first = plan.key ? 0n : plan.offset;
    this.#end = this.#first + plan.limit;
  }

  /** Whether there is any use in showing more. */
  take(item: T, key: Uint8Array): boolean {
    this.#seen++;
    if (this.#seen > this.#end) {
      if (this.#seen === this.#end + 1n) this.#nextKey = Uint8Array.from(key);
      return this.#plan.countTotal;
    }
    if (this.#seen > this.#first) this.#items.push(item);
    return true;
  }

  page(): Page<T> {
    const total = this.#plan.countTotal ? this.#seen : 0n;
    return { items: this.#items, pagination: { nextKey: this.#nextKey, total } };
  }
}

/** The same of a list that is at hand; keys are positions. */
export function pageOfList<T>(list: readonly T[], request: PageRequest | undefined): Page<T> {
  const plan = planOf(request);
  const ordered = plan.reverse ? list.toReversed() : list;
  const first = plan.key ? BigInt(positionOf(plan.key)) : plan.offset;
  const start = first > BigInt(list.length) ? list.length : Number(first);
  const end = Math.min(list.length, start + Number(plan.limit));
  const nextKey = end < list.length ? Buffer.from(String(end)) : NO_KEY;
  return {
    items: ordered.slice(start, end),
    pagination: { nextKey, total: plan.countTotal ? BigInt(list.length) : 0n },
  };
}

function positionOf(key: Uint8Array): number {
  const text = Buffer.from(key).toString('latin1');
  if (!/^\d{1,9}$/.test(text)) throw queryErrors.invalid('the page key is not one that this query gave');
  return Number(text);
}

function planOf(request: PageRequest | undefined): Plan {
  const { key = NO_KEY, offset = 0n, limit = 0n, countTotal = false, reverse = false } = request ?? {};
  if (offset > 0n && key.length > 0) {
    throw queryErrors.invalid('invalid request, either offset or key is expected, got both');
  }
  const byKey = key.length > 0;
  return {
    key: byKey ? key : undefined,
    offset,
    limit: limit === 0n ? DEFAULT_LIMIT : limit > MAX_PAGE_LIMIT ? MAX_PAGE_LIMIT : limit,
    countTotal: !byKey && (countTotal || limit === 0n),
    reverse,
  };
}

function rangeOf(prefix: Uint8Array, { key, reverse }: Plan): KeyRange {
  const whole = prefixRange(prefix);
  if (!key) return { ...whole, reverse };
  const from = concatBytes(prefix, key);
  // Backwards the page begins with `from` itself, so the range ends right above it.
  return reverse
    ? { ...whole, end: concatBytes(from, Uint8Array.of(0)), reverse }
    : { ...whole, start: from };
}
