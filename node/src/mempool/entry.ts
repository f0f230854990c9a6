import type { CheckedTransaction } from '../execution/index.ts';

/** A transaction in the pool. */
export interface Entry {
  readonly checked: CheckedTransaction;
  /** Queue key: the VM and the sender in hex, for an account counts in both. */
  readonly account: string;
  readonly nonce: bigint;
  /** Arrival order; breaks ties of price. */
  readonly sequence: number;
  readonly addedAt: number;
  readonly addedHeight: number;
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

/** The most that the transaction can take from its sender, in wei. */
export function maximalCost({ checked }: Entry): bigint {
  return checked.gasLimit * checked.feeCap + (checked.evm?.transaction.value ?? 0n);
}

/** Bytes that the transaction takes in a block's protobuf: tag, length, content. */
export function blockBytes({ checked }: Entry): number {
  const { length } = checked.raw;
  let lengthBytes = 1;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) lengthBytes++;
  return 1 + lengthBytes + length;
}

const RAISE_PERCENT = 110n;

/** A replacement raises fee cap and tip by a tenth each, as geth and its wallets have it. */
export function mayReplace(next: Entry, old: Entry): boolean {
  return (
    next.checked.feeCap * 100n >= old.checked.feeCap * RAISE_PERCENT &&
    next.checked.tipCap * 100n >= old.checked.tipCap * RAISE_PERCENT
  );
}
