import { Params as DistributionParams } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { Params as SlashingParams } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { Params as StakingParams } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE, utf8 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { distributionKeys } from '../distribution/distributionRows.ts';
import { writeRow } from '../protoRow.ts';
import { slashingKeys } from '../slashing/slashingRows.ts';
import { stakingKeys } from './stakingRows.ts';

const DAY = 86_400n;

/** The parameters of the modules that staking is made of. Decimals are texts scaled by 10^18. */
export interface ValidatorParams {
  readonly staking: StakingParams;
  readonly distribution: DistributionParams;
  readonly slashing: SlashingParams;
}

/** The SDK's defaults, in the base denomination. */
export const DEFAULT_VALIDATOR_PARAMS: ValidatorParams = {
  staking: {
    unbondingTime: { seconds: 21n * DAY, nanos: 0 },
    maxValidators: 100,
    maxEntries: 7,
    historicalEntries: 10_000,
    bondDenom: BASE_DENOMINATION,
    minCommissionRate: '0',
  },
  distribution: {
    communityTax: (DECIMAL_ONE / 50n).toString(),
    baseProposerReward: '0',
    bonusProposerReward: '0',
    withdrawAddrEnabled: true,
  },
  slashing: {
    signedBlocksWindow: 100n,
    minSignedPerWindow: utf8((DECIMAL_ONE / 2n).toString()),
    downtimeJailDuration: { seconds: 600n, nanos: 0 },
    slashFractionDoubleSign: utf8((DECIMAL_ONE / 20n).toString()),
    slashFractionDowntime: utf8((DECIMAL_ONE / 100n).toString()),
  },
};

export function writeValidatorParams(overlay: Overlay, params: ValidatorParams): void {
  writeRow(overlay, { store: STORE.staking, key: stakingKeys.params }, StakingParams, params.staking);
  const distribution = { store: STORE.distribution, key: distributionKeys.params };
  writeRow(overlay, distribution, DistributionParams, params.distribution);
  writeRow(overlay, { store: STORE.slashing, key: slashingKeys.params }, SlashingParams, params.slashing);
}
