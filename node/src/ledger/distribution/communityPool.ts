import { FeePool } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { writeRow } from '../protoRow.ts';
import { rewardAmount, rewardCoins } from './decimalCoins.ts';
import { distributionKeys, readFeePool } from './distributionRows.ts';

/** Books what the distribution account holds for nobody; a decimal amount. */
export function addToCommunityPool(overlay: Overlay, amount: bigint): void {
  if (amount === 0n) return;
  const communityPool = rewardCoins(rewardAmount(readFeePool(overlay).communityPool) + amount);
  const place = { store: STORE.distribution, key: distributionKeys.feePool };
  writeRow(overlay, place, FeePool, { communityPool });
}
