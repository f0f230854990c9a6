import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import type { CommissionRates, Description } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  MsgCreateValidator,
  MsgCreateValidatorResponse,
  MsgEditValidator,
  MsgEditValidatorResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import type { Any } from 'cosmjs-types/google/protobuf/any';
import { DECIMAL_ONE, equalBytes, sha256 } from '../../primitives/index.ts';
import { parseUnits } from '../bank/coins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { ledgerError } from '../ledgerError.ts';
import { decodeMessage } from '../protoMessage.ts';
import { changedCommission, decimalAt, validateRates } from '../staking/commission.ts';
import { createValidator } from '../staking/createValidator.ts';
import { requireValidator } from '../staking/delegations.ts';
import { editedDescription, isEmptyDescription, requireLengths } from '../staking/description.ts';
import { stakingError } from '../staking/stakingErrors.ts';
import { readStakingParams } from '../staking/stakingRows.ts';
import { writeValidator } from '../staking/validatorTokens.ts';
import { operatorAt } from './addresses.ts';
import { type MessageContext, type MessageReader, messageKind } from './messageKind.ts';
import { stakeAmount } from './stakeAmount.ts';

const NO_BYTES = new Uint8Array(0);
const KEY_BYTES = 32;

/** Ed25519, the only kind that signs blocks here. Throws LEDGER_REFUSED. */
function consensusKeyAt(any: Any | undefined): Uint8Array {
  if (!any) throw stakingError('emptyKey');
  if (any.typeUrl !== PubKey.typeUrl) {
    const got = any.typeUrl.slice(0, 80);
    throw stakingError('keyType', `got: ${got}, expected: [ed25519]`);
  }
  const { key } = decodeMessage(PubKey, any.value, 'consensus key');
  if (key.length !== KEY_BYTES) throw ledgerError('publicKey', `a consensus key of ${key.length} bytes`);
  return key;
}

/** A positive whole number. Throws LEDGER_REFUSED. */
function minimumAt(text: string): bigint {
  const units = parseUnits(text);
  if (units === undefined || units === 0n) {
    throw ledgerError('request', 'minimum self delegation must be a positive integer');
  }
  return units;
}

/** Numbers as text may have zeros in front; the state has one form of each. */
function plainRates({ rate, maxRate, maxChangeRate }: CommissionRates): CommissionRates {
  const plain = (text: string): string => BigInt(text).toString();
  return { rate: plain(rate), maxRate: plain(maxRate), maxChangeRate: plain(maxChangeRate) };
}

/** Amino JSON writes decimals with all their digits, and leaves empty members out. */
function aminoDecimal(text: string): string {
  const scaled = decimalAt(text, 'rate');
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(19, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

function aminoDescription(description: Description): unknown {
  const { moniker, identity, website, securityContact, details } = description;
  return {
    ...(moniker && { moniker }),
    ...(identity && { identity }),
    ...(website && { website }),
    ...(securityContact && { security_contact: securityContact }),
    ...(details && { details }),
  };
}

/** The event of a validator that the engine does not take. */
export const STAYS_UNBONDED = 'validator_stays_unbonded';

export const createValidatorMessage: MessageReader = messageKind<MsgCreateValidator>({
  typeUrl: MsgCreateValidator.typeUrl,
  module: 'staking',
  codec: MsgCreateValidator,
  signers: ({ validatorAddress }) => [operatorAt(validatorAddress)],
  validate: ({ pubkey, value, description, commission, minSelfDelegation }) => {
    if (!pubkey) throw stakingError('emptyKey');
    const units = parseUnits(value.amount);
    if (units === undefined || units === 0n) throw ledgerError('request', 'invalid delegation amount');
    if (isEmptyDescription(description)) throw ledgerError('request', 'empty description');
    const { rate, maxRate, maxChangeRate } = commission;
    if (rate === '' && maxRate === '' && maxChangeRate === '')
      throw ledgerError('request', 'empty commission');
    validateRates(commission);
    if (units < minimumAt(minSelfDelegation)) throw stakingError('selfDelegation');
  },
  spends: ({ value }) => [value],
  amino: (message) => ({
    type: 'cosmos-sdk/MsgCreateValidator',
    value: {
      description: aminoDescription(message.description),
      commission: {
        rate: aminoDecimal(message.commission.rate),
        max_rate: aminoDecimal(message.commission.maxRate),
        max_change_rate: aminoDecimal(message.commission.maxChangeRate),
      },
      min_self_delegation: message.minSelfDelegation,
      ...(message.delegatorAddress && { delegator_address: message.delegatorAddress }),
      validator_address: message.validatorAddress,
      pubkey: {
        type: 'tendermint/PubKeyEd25519',
        value: Buffer.from(consensusKeyAt(message.pubkey)).toString('base64'),
      },
      value: message.value,
    },
  }),
  run: (message, context) => {
    const { description } = message;
    const commissionRates = plainRates(message.commission);
    const minSelfDelegation = minimumAt(message.minSelfDelegation).toString();
    const params = readStakingParams(context.overlay);
    if (!params) throw ledgerError('notSupported', "this chain's genesis has no staking");
    const minimumRate = BigInt(params.minCommissionRate);
    if (BigInt(commissionRates.rate) < minimumRate) {
      const text = `cannot set validator commission to less than minimum rate of ${aminoDecimal(minimumRate.toString())}`;
      throw stakingError('commissionBelowMin', text);
    }
    const operator = operatorAt(message.validatorAddress);
    const consensusKey = consensusKeyAt(message.pubkey);
    const units = stakeAmount(message.value);
    requireLengths(description);
    const wanted = { operator, consensusKey, description, units };
    createValidator(context, { ...wanted, commissionRates, minSelfDelegation }, context);
    const amount = `${units}${BASE_DENOMINATION}`;
    context.events.add('create_validator', { validator: message.validatorAddress, amount });
    tellIfUnbonded(context, message.validatorAddress, consensusKey);
    return { typeUrl: MsgCreateValidatorResponse.typeUrl, value: NO_BYTES };
  },
});

/** Whoever makes another validator where one alone can sign should hear of it at once. */
function tellIfUnbonded(
  { events, soleValidator }: MessageContext,
  validator: string,
  consensusKey: Uint8Array,
): void {
  if (!soleValidator || equalBytes(sha256(consensusKey).subarray(0, 20), soleValidator)) return;
  const reason = 'the embedded engine keeps only its own key in the validator set; this one stays unbonded';
  events.add(STAYS_UNBONDED, { validator, reason });
}

export const editValidatorMessage: MessageReader = messageKind<MsgEditValidator>({
  typeUrl: MsgEditValidator.typeUrl,
  module: 'staking',
  codec: MsgEditValidator,
  signers: ({ validatorAddress }) => [operatorAt(validatorAddress)],
  validate: ({ description, minSelfDelegation, commissionRate }) => {
    if (isEmptyDescription(description)) throw ledgerError('request', 'empty description');
    if (minSelfDelegation !== '') minimumAt(minSelfDelegation);
    if (commissionRate === '') return;
    const rate = decimalAt(commissionRate, 'commission rate');
    if (rate < 0n || rate > DECIMAL_ONE) {
      throw ledgerError('request', 'commission rate must be between 0 and 1 (inclusive)');
    }
  },
  amino: ({ description, validatorAddress, commissionRate, minSelfDelegation }) => ({
    type: 'cosmos-sdk/MsgEditValidator',
    value: {
      description: aminoDescription(description),
      validator_address: validatorAddress,
      ...(commissionRate && { commission_rate: aminoDecimal(commissionRate) }),
      ...(minSelfDelegation && { min_self_delegation: minSelfDelegation }),
    },
  }),
  run: (message, context) => {
    const { overlay, events } = context;
    const before = requireValidator(context, operatorAt(message.validatorAddress));
    const description = editedDescription(before.description, message.description);
    const commission = editedCommission(message, before.commission, context);
    const minSelfDelegation = editedMinimum(message, before);
    writeValidator(overlay, { ...before, description, commission, minSelfDelegation }, before);
    events.add('edit_validator', {
      commission_rate: aminoDecimal(commission.commissionRates.rate),
      min_self_delegation: minSelfDelegation,
    });
    return { typeUrl: MsgEditValidatorResponse.typeUrl, value: NO_BYTES };
  },
});

function editedCommission(
  { commissionRate }: MsgEditValidator,
  before: Parameters<typeof changedCommission>[0],
  { overlay, time }: MessageContext,
) {
  if (commissionRate === '') return before;
  const rate = BigInt(commissionRate);
  const minimum = BigInt(readStakingParams(overlay)!.minCommissionRate);
  if (rate < minimum) {
    const text = `commission rate cannot be less than the min commission rate ${aminoDecimal(minimum.toString())}`;
    throw ledgerError('request', text);
  }
  return changedCommission(before, rate, time);
}

function editedMinimum(
  { minSelfDelegation }: MsgEditValidator,
  before: { readonly minSelfDelegation: string; readonly tokens: string },
): string {
  if (minSelfDelegation === '') return before.minSelfDelegation;
  const minimum = BigInt(minSelfDelegation);
  if (minimum <= BigInt(before.minSelfDelegation)) throw stakingError('selfDelegationDecreased');
  if (minimum > BigInt(before.tokens)) throw stakingError('selfDelegation');
  return minimum.toString();
}
