import { toBech32 } from '../../primitives/index.ts';
import { type LedgerEffects, takeCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';

/** Units that a pool loses for good; the supply follows at the end of the block. */
export function burn(effects: LedgerEffects, pool: Uint8Array, amount: bigint): void {
  if (amount === 0n) return;
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  takeCoins(effects, pool, coins);
  effects.events.add('burn', { burner: toBech32(pool), amount: `${amount}${BASE_DENOMINATION}` });
}
