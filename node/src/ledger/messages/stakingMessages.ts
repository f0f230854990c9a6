import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import {
  MsgBeginRedelegate,
  MsgBeginRedelegateResponse,
  MsgDelegate,
  MsgDelegateResponse,
  MsgUndelegate,
  MsgUndelegateResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { formatDecimal } from '../../primitives/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { addStake } from '../staking/delegations.ts';
import { redelegate, undelegate } from '../staking/unbonding.ts';
import { accountAt, operatorAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';
import { stakeAmount } from './stakeAmount.ts';

interface DelegationNames {
  readonly delegatorAddress: string;
  readonly validatorAddress: string;
  readonly amount: Coin;
}

const delegatorOf = (text: string) => accountAt(text, 'delegator');
const shown = (amount: bigint) => `${amount}${BASE_DENOMINATION}`;

function validateNames({ delegatorAddress, validatorAddress, amount }: DelegationNames): void {
  delegatorOf(delegatorAddress);
  operatorAt(validatorAddress);
  stakeAmount(amount);
}

const aminoNames = ({ delegatorAddress, validatorAddress, amount }: DelegationNames) => ({
  delegator_address: delegatorAddress,
  validator_address: validatorAddress,
  amount,
});

const timeText = ({ seconds }: BlockTime) =>
  new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

export const delegateMessage: MessageReader = messageKind<MsgDelegate>({
  typeUrl: MsgDelegate.typeUrl,
  module: 'staking',
  codec: MsgDelegate,
  signers: ({ delegatorAddress }) => [delegatorOf(delegatorAddress)],
  validate: validateNames,
  spends: ({ amount }) => [amount],
  amino: (message) => ({ type: 'cosmos-sdk/MsgDelegate', value: aminoNames(message) }),
  run: (message, context) => {
    const [delegator, operator] = [
      delegatorOf(message.delegatorAddress),
      operatorAt(message.validatorAddress),
    ];
    const amount = stakeAmount(message.amount);
    const shares = addStake(context, { delegator, operator, height: context.height }, amount);
    context.events.add('delegate', {
      validator: message.validatorAddress,
      delegator: message.delegatorAddress,
      amount: shown(amount),
      new_shares: formatDecimal(shares),
    });
    return { typeUrl: MsgDelegateResponse.typeUrl, value: new Uint8Array(0) };
  },
});

export const undelegateMessage: MessageReader = messageKind<MsgUndelegate>({
  typeUrl: MsgUndelegate.typeUrl,
  module: 'staking',
  codec: MsgUndelegate,
  signers: ({ delegatorAddress }) => [delegatorOf(delegatorAddress)],
  validate: validateNames,
  amino: (message) => ({ type: 'cosmos-sdk/MsgUndelegate', value: aminoNames(message) }),
  run: (message, context) => {
    const stake = {
      delegator: delegatorOf(message.delegatorAddress),
      operator: operatorAt(message.validatorAddress),
      height: context.height,
    };
    const amount = stakeAmount(message.amount);
    const completionTime = undelegate(context, stake, { amount, now: context.time });
    context.events.add('unbond', {
      validator: message.validatorAddress,
      delegator: message.delegatorAddress,
      amount: shown(amount),
      completion_time: timeText(completionTime),
    });
    const value = MsgUndelegateResponse.encode({ completionTime, amount: message.amount }).finish();
    return { typeUrl: MsgUndelegateResponse.typeUrl, value };
  },
});

export const redelegateMessage: MessageReader = messageKind<MsgBeginRedelegate>({
  typeUrl: MsgBeginRedelegate.typeUrl,
  module: 'staking',
  codec: MsgBeginRedelegate,
  signers: ({ delegatorAddress }) => [delegatorOf(delegatorAddress)],
  validate: ({ delegatorAddress, validatorSrcAddress, validatorDstAddress, amount }) => {
    validateNames({ delegatorAddress, validatorAddress: validatorSrcAddress, amount });
    operatorAt(validatorDstAddress);
  },
  amino: ({ delegatorAddress, validatorSrcAddress, validatorDstAddress, amount }) => ({
    type: 'cosmos-sdk/MsgBeginRedelegate',
    value: {
      delegator_address: delegatorAddress,
      validator_src_address: validatorSrcAddress,
      validator_dst_address: validatorDstAddress,
      amount,
    },
  }),
  run: (message, context) => {
    const stake = {
      delegator: delegatorOf(message.delegatorAddress),
      operator: operatorAt(message.validatorSrcAddress),
      height: context.height,
    };
    const amount = stakeAmount(message.amount);
    const target = operatorAt(message.validatorDstAddress);
    const completionTime = redelegate(context, stake, { target, amount, now: context.time });
    context.events.add('redelegate', {
      source_validator: message.validatorSrcAddress,
      destination_validator: message.validatorDstAddress,
      amount: shown(amount),
      completion_time: timeText(completionTime),
    });
    const value = MsgBeginRedelegateResponse.encode({ completionTime }).finish();
    return { typeUrl: MsgBeginRedelegateResponse.typeUrl, value };
  },
});
