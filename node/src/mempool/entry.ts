import type { CheckedTransaction } from '../execution/index.ts';
import type { AccountBudget } from './accountBudget.ts';
import type { AccountQueue } from './accountQueue.ts';

export type EntryQueue = AccountQueue<Entry>;
export type EntryBudget = AccountBudget<Entry>;

/** A transaction in the pool. */
export interface Entry {
  readonly checked: CheckedTransaction;
  readonly queue: EntryQueue;
  readonly budget: EntryBudget;
  readonly nonce: bigint;
  /** Arrival order; breaks ties of price. */
  readonly sequence: number;
  /** When, and at which height, it came to where it stands. */
  since: number;
  sinceHeight: number;
  /** Set once listeners were told: when it first became executable. */
  announced: boolean;
}

/**
 * Wei per gas that the block's maker gets above the base fee; negative when the fee cap is below it. The ledger's
 * transactions know no base fee: all they pay counts.
 */
export function effectiveTip({ checked }: Entry, baseFee: bigint): bigint {
  if (!checked.evm) return checked.tipCap;
  const room = checked.feeCap - baseFee;
  return room < checked.tipCap ? room : checked.tipCap;
}

/** Bytes that the transaction takes in a block's protobuf: tag, length, content. */
export function blockBytes({ checked }: Entry): number {
  const { length } = checked.raw;
  let lengthBytes = 1;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) lengthBytes++;
  return 1 + lengthBytes + length;
}

/** A replacement raises fee cap and tip, each by this many percent and at all, as geth and its wallets have it. */
export function mayReplace(next: CheckedTransaction, old: CheckedTransaction, percent: number): boolean {
  const isRaised = (price: bigint, before: bigint): boolean =>
    price > before && price * 100n >= before * BigInt(100 + percent);
  return isRaised(next.feeCap, old.feeCap) && isRaised(next.tipCap, old.tipCap);
}
