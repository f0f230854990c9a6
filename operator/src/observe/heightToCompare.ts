export interface Compared {
  readonly candidate: string;
  readonly trusted: string;
  /** Heights that are looked at, the newest one included. */
  readonly lookBack: number;
}

type Ask = <T>(url: string, question: readonly [method: string, params: readonly unknown[]]) => Promise<T>;

/** Asked for at once. */
const AT_ONCE = 16;

/**
 * The newest height that both have and at which the trusted node has transactions, in hex; the newest that both have
 * where there is none in reach. Goes no further back than both nodes have blocks: one of them may begin at a snapshot.
 */
export async function heightToCompare({ candidate, trusted, lookBack }: Compared, ask: Ask): Promise<string> {
  const heads = await Promise.all(
    [candidate, trusted].map((url) => ask<string>(url, ['eth_blockNumber', []])),
  );
  const newest = Math.min(...heads.map(Number));
  const oldest = Math.max(1, newest - lookBack + 1);
  for (let top = newest; top >= oldest; top -= AT_ONCE) {
    const heights = Array.from({ length: Math.min(AT_ONCE, top - oldest + 1) }, (_, index) => top - index);
    const counts = await Promise.all(
      heights.map(async (height) => {
        const [mine, theirs] = await Promise.all(
          [candidate, trusted].map((url) => countAt(url, height, ask)),
        );
        return mine === undefined ? undefined : theirs;
      }),
    );
    const end = counts.indexOf(undefined);
    const there = end < 0 ? counts : counts.slice(0, end);
    const found = there.findIndex((count) => count! > 0);
    if (found >= 0) return hex(heights[found]!);
    if (end >= 0) break;
  }
  return hex(newest);
}

/** Transactions of a block; `undefined` where the node does not have it. */
async function countAt(url: string, height: number, ask: Ask): Promise<number | undefined> {
  try {
    const count = await ask<string | null>(url, ['eth_getBlockTransactionCountByNumber', [hex(height)]]);
    return count === null ? undefined : Number(count);
  } catch (error) {
    // An error that is an answer: below the floor of what is kept.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const hex = (height: number): string => `0x${height.toString(16)}`;
