import {
  MsgFundCommunityPool,
  MsgFundCommunityPoolResponse,
  MsgSetWithdrawAddress,
  MsgSetWithdrawAddressResponse,
  MsgWithdrawDelegatorReward,
  MsgWithdrawDelegatorRewardResponse,
  MsgWithdrawValidatorCommission,
  MsgWithdrawValidatorCommissionResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import { formatCoins, parseCoins } from '../bank/coins.ts';
import { requireReceiver, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { addToCommunityPool } from '../distribution/communityPool.ts';
import { distributionError } from '../distribution/distributionErrors.ts';
import { distributionKeys, readDistributionParams } from '../distribution/distributionRows.ts';
import {
  DISTRIBUTION_ACCOUNT,
  settleCommission,
  settleDelegation,
  startDelegation,
} from '../distribution/rewardPeriods.ts';
import { ledgerError } from '../ledgerError.ts';
import { requireValidator } from '../staking/delegations.ts';
import { readDelegation } from '../staking/stakingRows.ts';
import { accountAt, operatorAt } from './addresses.ts';
import { type MessageReader, messageKind } from './messageKind.ts';
import { stakeAmount } from './stakeAmount.ts';

const NO_BYTES = new Uint8Array(0);
const delegatorOf = (text: string) => accountAt(text, 'delegator');
const paid = (amount: bigint) => [{ denom: BASE_DENOMINATION, amount: amount.toString() }];

export const withdrawRewardMessage: MessageReader = messageKind<MsgWithdrawDelegatorReward>({
  typeUrl: MsgWithdrawDelegatorReward.typeUrl,
  module: 'distribution',
  codec: MsgWithdrawDelegatorReward,
  signers: ({ delegatorAddress }) => [delegatorOf(delegatorAddress)],
  validate: ({ validatorAddress }) => void operatorAt(validatorAddress),
  amino: ({ delegatorAddress, validatorAddress }) => ({
    type: 'cosmos-sdk/MsgWithdrawDelegationReward',
    value: { delegator_address: delegatorAddress, validator_address: validatorAddress },
  }),
  run: (message, context) => {
    const [delegator, operator] = [
      delegatorOf(message.delegatorAddress),
      operatorAt(message.validatorAddress),
    ];
    requireValidator(context, operator);
    if (!readDelegation(context.overlay, delegator, operator)) throw distributionError('noDelegation');
    const amount = settleDelegation(context, { delegator, operator });
    startDelegation(context.overlay, { delegator, operator, height: context.height });
    const value = MsgWithdrawDelegatorRewardResponse.encode({ amount: paid(amount) }).finish();
    return { typeUrl: MsgWithdrawDelegatorRewardResponse.typeUrl, value };
  },
});

export const withdrawCommissionMessage: MessageReader = messageKind<MsgWithdrawValidatorCommission>({
  typeUrl: MsgWithdrawValidatorCommission.typeUrl,
  module: 'distribution',
  codec: MsgWithdrawValidatorCommission,
  signers: ({ validatorAddress }) => [operatorAt(validatorAddress)],
  validate: () => undefined,
  amino: ({ validatorAddress }) => ({
    type: 'cosmos-sdk/MsgWithdrawValCommission',
    value: { validator_address: validatorAddress },
  }),
  run: ({ validatorAddress }, context) => {
    const amount = settleCommission(context, operatorAt(validatorAddress));
    if (amount === 0n) throw distributionError('noCommission');
    const value = MsgWithdrawValidatorCommissionResponse.encode({ amount: paid(amount) }).finish();
    return { typeUrl: MsgWithdrawValidatorCommissionResponse.typeUrl, value };
  },
});

export const setWithdrawAddressMessage: MessageReader = messageKind<MsgSetWithdrawAddress>({
  typeUrl: MsgSetWithdrawAddress.typeUrl,
  module: 'distribution',
  codec: MsgSetWithdrawAddress,
  signers: ({ delegatorAddress }) => [delegatorOf(delegatorAddress)],
  validate: ({ withdrawAddress }) => void accountAt(withdrawAddress, 'withdraw'),
  amino: ({ delegatorAddress, withdrawAddress }) => ({
    type: 'cosmos-sdk/MsgModifyWithdrawAddress',
    value: { delegator_address: delegatorAddress, withdraw_address: withdrawAddress },
  }),
  run: ({ delegatorAddress, withdrawAddress }, { overlay, events }) => {
    const to = accountAt(withdrawAddress, 'withdraw');
    requireReceiver(overlay, to);
    if (!readDistributionParams(overlay)?.withdrawAddrEnabled) throw distributionError('withdrawAddress');
    overlay.set(STORE.distribution, distributionKeys.withdrawAddress(delegatorOf(delegatorAddress)), to);
    events.add('set_withdraw_address', { withdraw_address: withdrawAddress });
    return { typeUrl: MsgSetWithdrawAddressResponse.typeUrl, value: NO_BYTES };
  },
});

/** The pool holds the base denomination only, as rewards do. */
export const fundCommunityPoolMessage: MessageReader = messageKind<MsgFundCommunityPool>({
  typeUrl: MsgFundCommunityPool.typeUrl,
  module: 'distribution',
  codec: MsgFundCommunityPool,
  signers: ({ depositor }) => [accountAt(depositor, 'depositor')],
  validate: ({ amount }) => void parseCoins(amount),
  spends: ({ amount }) => amount,
  amino: ({ amount, depositor }) => ({
    type: 'cosmos-sdk/MsgFundCommunityPool',
    value: { amount, depositor },
  }),
  run: ({ amount, depositor }, context) => {
    const coins = parseCoins(amount);
    if (coins.length > 1) throw ledgerError('request', `the pool takes ${BASE_DENOMINATION} only`);
    const units = stakeAmount(amount[0]);
    if (!readDistributionParams(context.overlay)) {
      throw ledgerError('notSupported', "this chain's genesis has no staking");
    }
    transferCoins(context, { from: accountAt(depositor, 'depositor'), to: DISTRIBUTION_ACCOUNT, coins });
    addToCommunityPool(context.overlay, units * DECIMAL_ONE);
    context.events.add('fund_community_pool', { amount: formatCoins(coins), depositor });
    return { typeUrl: MsgFundCommunityPoolResponse.typeUrl, value: NO_BYTES };
  },
});
