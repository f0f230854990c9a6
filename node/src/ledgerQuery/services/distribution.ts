import type { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import * as distribution from 'cosmjs-types/cosmos/distribution/v1beta1/query';
import {
  BASE_DENOMINATION,
  delegationRows,
  pendingRewards,
  prefixRange,
  readCommission,
  readDelegation,
  readDistributionParams,
  readFeePool,
  readOutstandingRewards,
  readWithdrawAddress,
  slashRows,
} from '../../ledger/index.ts';
import { accountText, parseAccount, parseOperator } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { findValidator } from './staking.ts';

const SERVICE = '/cosmos.distribution.v1beta1.Query';

export const DISTRIBUTION_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Params`,
    [distribution.QueryParamsRequest, distribution.QueryParamsResponse],
    (_request, { state }) => {
      const params = readDistributionParams(state);
      if (!params) throw queryErrors.notFound("this chain's genesis has no staking");
      return { params };
    },
  ),
  queryMethod(
    `${SERVICE}/ValidatorDistributionInfo`,
    [distribution.QueryValidatorDistributionInfoRequest, distribution.QueryValidatorDistributionInfoResponse],
    ({ validatorAddress }, scope) => {
      const operator = operatorOf(scope, validatorAddress);
      return {
        operatorAddress: accountText(operator),
        selfBondRewards: rewardsOf(scope, operator, operator),
        commission: readCommission(scope.state, operator).commission,
      };
    },
  ),
  queryMethod(
    `${SERVICE}/ValidatorOutstandingRewards`,
    [
      distribution.QueryValidatorOutstandingRewardsRequest,
      distribution.QueryValidatorOutstandingRewardsResponse,
    ],
    ({ validatorAddress }, scope) => ({
      rewards: readOutstandingRewards(scope.state, operatorOf(scope, validatorAddress)),
    }),
  ),
  queryMethod(
    `${SERVICE}/ValidatorCommission`,
    [distribution.QueryValidatorCommissionRequest, distribution.QueryValidatorCommissionResponse],
    ({ validatorAddress }, scope) => ({
      commission: readCommission(scope.state, operatorOf(scope, validatorAddress)),
    }),
  ),
  queryMethod(
    `${SERVICE}/ValidatorSlashes`,
    [distribution.QueryValidatorSlashesRequest, distribution.QueryValidatorSlashesResponse],
    async ({ validatorAddress, startingHeight, endingHeight, pagination }, scope) => {
      if (endingHeight > 0n && endingHeight < startingHeight) {
        throw queryErrors.invalid(
          `starting height greater than ending height (${startingHeight} > ${endingHeight})`,
        );
      }
      const page = await pageOf(
        scope,
        slashRows(operatorOf(scope, validatorAddress)),
        pagination,
        ({ height }) => height >= startingHeight && (endingHeight === 0n || height <= endingHeight),
      );
      return { slashes: page.items.map(({ event }) => event), pagination: page.pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/DelegationRewards`,
    [distribution.QueryDelegationRewardsRequest, distribution.QueryDelegationRewardsResponse],
    ({ delegatorAddress, validatorAddress }, scope) => {
      const delegator = parseAccount(delegatorAddress);
      const operator = operatorOf(scope, validatorAddress);
      if (!readDelegation(scope.state, delegator, operator)) {
        throw queryErrors.notFound(
          `delegation with delegator ${delegatorAddress} not found for validator ${validatorAddress}`,
        );
      }
      return { rewards: rewardsOf(scope, delegator, operator) };
    },
  ),
  queryMethod(
    `${SERVICE}/DelegationTotalRewards`,
    [distribution.QueryDelegationTotalRewardsRequest, distribution.QueryDelegationTotalRewardsResponse],
    async ({ delegatorAddress }, scope) => {
      const delegator = parseAccount(delegatorAddress);
      const validators = await validatorsOf(scope, delegator);
      const amounts = validators.map((validator) =>
        pendingRewards(scope.state, delegator, parseOperator(validator)),
      );
      return {
        rewards: validators.map((validatorAddress, i) => ({
          validatorAddress,
          reward: decimalCoins(amounts[i]!),
        })),
        total: decimalCoins(amounts.reduce((sum, amount) => sum + amount, 0n)),
      };
    },
  ),
  queryMethod(
    `${SERVICE}/DelegatorValidators`,
    [distribution.QueryDelegatorValidatorsRequest, distribution.QueryDelegatorValidatorsResponse],
    async ({ delegatorAddress }, scope) => ({
      validators: await validatorsOf(scope, parseAccount(delegatorAddress)),
    }),
  ),
  queryMethod(
    `${SERVICE}/DelegatorWithdrawAddress`,
    [distribution.QueryDelegatorWithdrawAddressRequest, distribution.QueryDelegatorWithdrawAddressResponse],
    ({ delegatorAddress }, { state }) => ({
      withdrawAddress: accountText(readWithdrawAddress(state, parseAccount(delegatorAddress))),
    }),
  ),
  queryMethod(
    `${SERVICE}/CommunityPool`,
    [distribution.QueryCommunityPoolRequest, distribution.QueryCommunityPoolResponse],
    (_request, { state }) => ({ pool: readFeePool(state).communityPool }),
  ),
];

function operatorOf(scope: QueryScope, text: string): Uint8Array {
  findValidator(scope, text);
  return parseOperator(text);
}

function rewardsOf({ state }: QueryScope, delegator: Uint8Array, operator: Uint8Array): DecCoin[] {
  return decimalCoins(pendingRewards(state, delegator, operator));
}

/** Rewards exist in the base denomination only. */
function decimalCoins(amount: bigint): DecCoin[] {
  return amount === 0n ? [] : [{ denom: BASE_DENOMINATION, amount: amount.toString() }];
}

async function validatorsOf(scope: QueryScope, delegator: Uint8Array): Promise<string[]> {
  const rows = delegationRows(delegator);
  const validators: string[] = [];
  for await (const [key, value] of scope.iterate(rows.store, prefixRange(rows.prefix))) {
    scope.checkTime();
    validators.push(rows.decode(key, value).validatorAddress);
  }
  return validators;
}
