import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import { Params as DistributionParams } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import {
  Params as SlashingParams,
  ValidatorSigningInfo,
} from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { BondStatus, Delegation, Params, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { concatBytes, DECIMAL_ONE, sha256, toBech32, utf8, writeUvarint } from '../../primitives/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { ensureAccount } from '../account.ts';
import { readUnits, writeUnits } from '../balance.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { DISTRIBUTION_STORE, distributionKeys } from '../distribution/distributionRows.ts';
import { beginPeriod, startDelegation, startRewards } from '../distribution/rewardPeriods.ts';
import { writeRow } from '../protoRow.ts';
import { SLASHING_STORE, slashingKeys } from '../slashing/slashingRows.ts';
import { initEngineSets } from './engineSets.ts';
import { BONDED_POOL } from './pool.ts';
import { STAKING_STORE, stakingKeys } from './stakingRows.ts';
import { POWER_REDUCTION, powerOf, writeValidator } from './validatorTokens.ts';

const DAY = 86_400n;
const ZERO: BlockTime = { seconds: 0n, nanos: 0 };

/** The SDK's defaults, in the base denomination. */
const STAKING_PARAMS: Params = {
  unbondingTime: { seconds: 21n * DAY, nanos: 0 },
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 10_000,
  bondDenom: BASE_DENOMINATION,
  minCommissionRate: '0',
};
const DISTRIBUTION_PARAMS: DistributionParams = {
  communityTax: (DECIMAL_ONE / 50n).toString(),
  baseProposerReward: '0',
  bonusProposerReward: '0',
  withdrawAddrEnabled: true,
};
const SLASHING_PARAMS: SlashingParams = {
  signedBlocksWindow: 100n,
  minSignedPerWindow: utf8((DECIMAL_ONE / 2n).toString()),
  downtimeJailDuration: { seconds: 600n, nanos: 0 },
  slashFractionDoubleSign: utf8((DECIMAL_ONE / 20n).toString()),
  slashFractionDowntime: utf8((DECIMAL_ONE / 100n).toString()),
};

/** A validator that a chain begins with, bonded. */
export interface GenesisValidator {
  /** Chain account of the operator, 20 bytes, which has delegated `units` to itself. */
  readonly operator: Uint8Array;
  /** Ed25519, 32 bytes. */
  readonly consensusKey: Uint8Array;
  readonly moniker: string;
  readonly units: bigint;
}

/** Begins staking: parameters, and validators with what they staked on top of all balances. */
export function initStaking(
  overlay: Overlay,
  validators: readonly GenesisValidator[],
  unbondingSeconds?: bigint,
): void {
  const params =
    unbondingSeconds === undefined
      ? STAKING_PARAMS
      : { ...STAKING_PARAMS, unbondingTime: { seconds: unbondingSeconds, nanos: 0 } };
  writeRow(overlay, { store: STAKING_STORE, key: stakingKeys.params }, Params, params);
  const distribution = { store: DISTRIBUTION_STORE, key: distributionKeys.params };
  writeRow(overlay, distribution, DistributionParams, DISTRIBUTION_PARAMS);
  writeRow(overlay, { store: SLASHING_STORE, key: slashingKeys.params }, SlashingParams, SLASHING_PARAMS);
  for (const validator of validators) bond(overlay, validator);
  initEngineSets(
    overlay,
    validators.map(({ consensusKey, units }) => ({
      publicKey: consensusKey,
      power: units / POWER_REDUCTION,
    })),
  );
}

function bond(overlay: Overlay, { operator, consensusKey, moniker, units }: GenesisValidator): void {
  const shares = (units * DECIMAL_ONE).toString();
  const validatorAddress = toBech32(operator, 'chainvaloper');
  const consensusAddress = sha256(consensusKey).subarray(0, 20);
  const validator = newValidator({ operator, consensusKey, moniker, units });
  writeValidator(overlay, validator);
  overlay.set(STAKING_STORE, stakingKeys.validatorByConsensus(consensusAddress), operator);
  const power = concatBytes(Uint8Array.of(0x08), writeUvarint(powerOf(validator)));
  overlay.set(STAKING_STORE, stakingKeys.lastPower(operator), power);
  ensureAccount(overlay, operator);
  startRewards(overlay, operator);
  const delegation = { delegatorAddress: toBech32(operator), validatorAddress, shares };
  const place = { store: STAKING_STORE, key: stakingKeys.delegation(operator, operator) };
  writeRow(overlay, place, Delegation, delegation);
  overlay.set(STAKING_STORE, stakingKeys.delegationOfValidator(operator, operator), new Uint8Array(0));
  beginPeriod(overlay, operator);
  startDelegation(overlay, { delegator: operator, operator, height: 0 });
  const held = readUnits(overlay, BONDED_POOL, BASE_DENOMINATION);
  writeUnits(overlay, BONDED_POOL, { denomination: BASE_DENOMINATION, amount: held + units });
  writeRow(
    overlay,
    { store: SLASHING_STORE, key: slashingKeys.signingInfo(consensusAddress) },
    ValidatorSigningInfo,
    {
      address: toBech32(consensusAddress, 'chainvalcons'),
      startHeight: 0n,
      indexOffset: 0n,
      jailedUntil: ZERO,
      tombstoned: false,
      missedBlocksCounter: 0n,
    },
  );
}

function newValidator({ operator, consensusKey, moniker, units }: GenesisValidator): Validator {
  return Validator.fromPartial({
    operatorAddress: toBech32(operator, 'chainvaloper'),
    consensusPubkey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: consensusKey }).finish() },
    status: BondStatus.BOND_STATUS_BONDED,
    tokens: units.toString(),
    delegatorShares: (units * DECIMAL_ONE).toString(),
    description: { moniker },
    unbondingTime: ZERO,
    commission: {
      commissionRates: {
        rate: (DECIMAL_ONE / 10n).toString(),
        maxRate: (DECIMAL_ONE / 5n).toString(),
        maxChangeRate: (DECIMAL_ONE / 100n).toString(),
      },
      updateTime: ZERO,
    },
    minSelfDelegation: '1',
  });
}
