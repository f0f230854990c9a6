import { DECIMAL_ONE } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { prefixRange, sizedKey } from '../rowRange.ts';
import { addToCommunityPool } from './communityPool.ts';
import { rewardAmount } from './decimalCoins.ts';
import {
  distributionKeys,
  readCommission,
  readOutstandingRewards,
  readWithdrawAddress,
} from './distributionRows.ts';
import { payOut } from './rewardPeriods.ts';

/** Of a validator that goes: its commission is paid out, what nobody can claim any more is the community's. */
export function closeRewards(effects: LedgerEffects, operator: Uint8Array): void {
  const { overlay } = effects;
  const commission = rewardAmount(readCommission(overlay, operator).commission);
  const outstanding = rewardAmount(readOutstandingRewards(overlay, operator).rewards);
  const units = commission / DECIMAL_ONE;
  if (units > 0n) payOut(effects, readWithdrawAddress(overlay, operator), units);
  addToCommunityPool(overlay, outstanding - units * DECIMAL_ONE);
  const rows = [distributionKeys.outstanding, distributionKeys.commission, distributionKeys.current].map(
    (keyOf) => keyOf(operator),
  );
  for (const prefix of [sizedKey(0x05, operator), sizedKey(0x08, operator)]) {
    for (const [key] of [...overlay.iterate(STORE.distribution, prefixRange(prefix))]) rows.push(key);
  }
  for (const key of [...rows, distributionKeys.slashIndex(operator)]) {
    if (overlay.get(STORE.distribution, key)) overlay.delete(STORE.distribution, key);
  }
}
