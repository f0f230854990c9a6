import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import {
  BondStatus,
  type CommissionRates,
  type Description,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { BECH32_PREFIX, sha256, toBech32 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { startRewards } from '../distribution/rewardPeriods.ts';
import { addStake } from './delegations.ts';
import { stakingError } from './stakingErrors.ts';
import { readValidator, readValidatorByConsensus, stakingKeys } from './stakingRows.ts';
import type { StatusBlock } from './validatorStatus.ts';
import { writeValidator } from './validatorTokens.ts';

/** A validator to be; rates are decimals in text, scaled by 10^18. */
export interface NewValidator {
  /** Chain account of the operator, 20 bytes. */
  readonly operator: Uint8Array;
  /** Ed25519, 32 bytes. */
  readonly consensusKey: Uint8Array;
  readonly description: Description;
  readonly commissionRates: CommissionRates;
  readonly minSelfDelegation: string;
  /** Units of the base denomination that the operator stakes. */
  readonly units: bigint;
}

const EPOCH = { seconds: 0n, nanos: 0 };

/** A validator with its operator's stake; it may join the set at the end of the block. Throws LEDGER_REFUSED. */
export function createValidator(effects: LedgerEffects, wanted: NewValidator, block: StatusBlock): void {
  const { operator, consensusKey, description, commissionRates, minSelfDelegation, units } = wanted;
  const { overlay } = effects;
  const consensusAddress = sha256(consensusKey).subarray(0, 20);
  if (readValidator(overlay, operator)) throw stakingError('operatorTaken');
  if (readValidatorByConsensus(overlay, consensusAddress)) throw stakingError('keyTaken');
  const validator = Validator.fromPartial({
    operatorAddress: toBech32(operator, BECH32_PREFIX.validator),
    consensusPubkey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key: consensusKey }).finish() },
    status: BondStatus.BOND_STATUS_UNBONDED,
    tokens: '0',
    delegatorShares: '0',
    description,
    unbondingTime: EPOCH,
    commission: { commissionRates, updateTime: block.time },
    minSelfDelegation,
  });
  writeValidator(overlay, validator);
  overlay.set(STORE.staking, stakingKeys.validatorByConsensus(consensusAddress), operator);
  startRewards(overlay, operator);
  addStake(effects, { delegator: operator, operator, height: block.height }, units);
}
