import type { MessageScope } from '../frames/index.ts';
import type { Account, Accounts } from '../tables/index.ts';

const COLD_SURCHARGE = 2_500;
const WARM_ACCOUNT = 100;
const VALUE_GAS = 9_000;
const NEW_ACCOUNT = 25_000;

/** A call whose price depends on the state. */
export interface PricedCall {
  /** By CALL itself. */
  readonly isCall: boolean;
  readonly callee: Account;
  /** Wei that it sends. */
  readonly value: bigint;
}

/** Whether `gas` pays for the look itself: before, nothing of a cold callee is read. */
export function isLookPaid(accounts: Accounts, callee: Account, gas: number): boolean {
  return gas >= COLD_SURCHARGE || accounts.isWarm(callee);
}

/** What a look at the callee costs above the constant price of a call: EIP-2929, EIP-7702. */
export function calleeGas(accounts: Accounts, callee: Account): number {
  const { delegate } = accounts.targetOf(callee);
  const own = accounts.isWarm(callee) ? 0 : COLD_SURCHARGE;
  if (!delegate) return own;
  const isWarm = accounts.isWarm(delegate) || delegate === callee;
  return own + WARM_ACCOUNT + (isWarm ? 0 : COLD_SURCHARGE);
}

/** Above the constant price and memory; without the gas that is handed on. */
export function callGas(
  { host, accounts }: Pick<MessageScope, 'host' | 'accounts'>,
  { isCall, callee, value }: PricedCall,
): number {
  const looked = calleeGas(accounts, callee);
  if (value === 0n) return looked;
  return looked + VALUE_GAS + (isCall && host.state.isEmpty(callee.address) ? NEW_ACCOUNT : 0);
}

/** What of `available` a call hands on that asks for so much (EIP-150). */
export function handedOnGas(asked: number, available: number): number {
  return Math.min(asked, available - Math.floor(available / 64));
}
