import { equalBytes, toBech32 } from '../../primitives/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { ensureAccount } from '../account.ts';
import { readChainAddress } from '../associationRows.ts';
import { readUnits, writeUnits } from '../balance.ts';
import { FEE_COLLECTOR_CHAIN_ADDRESS } from '../feeCollector.ts';
import { ledgerError } from '../ledgerError.ts';
import { moduleAddress } from '../moduleAddress.ts';
import { BONDED_POOL, NOT_BONDED_POOL } from '../staking/pool.ts';
import type { EventLog } from '../transaction/events.ts';
import { formatCoins, type Units } from './coins.ts';

/** Where a transaction's or a block's effects go. */
export interface LedgerEffects {
  readonly overlay: Overlay;
  readonly events: EventLog;
}

export interface CoinTransfer {
  /** Chain accounts, 20 bytes. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly coins: readonly Units[];
}

/** Moves coins and tells of it as the SDK's bank does. Throws LEDGER_REFUSED, insufficient funds. */
export function transferCoins(effects: LedgerEffects, { from, to, coins }: CoinTransfer): void {
  const { events } = effects;
  takeCoins(effects, from, coins);
  giveCoins(effects, to, coins);
  ensureAccount(effects.overlay, to);
  const [sender, recipient, amount] = [toBech32(from), toBech32(to), formatCoins(coins)];
  events.add('transfer', { recipient, sender, amount });
  events.add('message', { sender });
}

export function takeCoins(
  { overlay, events }: LedgerEffects,
  from: Uint8Array,
  coins: readonly Units[],
): void {
  for (const { denomination, amount } of coins) {
    const held = readUnits(overlay, from, denomination);
    if (held < amount) {
      const missing = `${held}${denomination} is smaller than ${amount}${denomination}`;
      throw ledgerError('funds', `spendable balance ${missing}`);
    }
    writeUnits(overlay, from, { denomination, amount: held - amount });
  }
  events.add('coin_spent', { spender: toBech32(from), amount: formatCoins(coins) });
}

export function giveCoins({ overlay, events }: LedgerEffects, to: Uint8Array, coins: readonly Units[]): void {
  for (const { denomination, amount } of coins) {
    writeUnits(overlay, to, { denomination, amount: readUnits(overlay, to, denomination) + amount });
  }
  events.add('coin_received', { receiver: toBech32(to), amount: formatCoins(coins) });
}

const BLOCKED = [FEE_COLLECTOR_CHAIN_ADDRESS, BONDED_POOL, NOT_BONDED_POOL, moduleAddress('distribution')];

/**
 * Modules take nothing from users, and what the cast of an associated EVM address held could never be spent
 * (spec L-4). Throws LEDGER_REFUSED.
 */
export function requireReceiver(overlay: Overlay, address: Uint8Array): void {
  const owner = readChainAddress(overlay, address);
  const isCast = owner !== undefined && !equalBytes(owner, address);
  if (isCast || BLOCKED.some((blocked) => equalBytes(blocked, address))) {
    throw ledgerError('unauthorized', `${toBech32(address)} is not allowed to receive funds`);
  }
}
