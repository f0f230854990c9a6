import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query';
import type {
  Delegation,
  DelegationResponse,
  UnbondingDelegation,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  BASE_DENOMINATION,
  delegationRows,
  type RowRange,
  readDelegation,
  readUnbonding,
  readValidator,
  unbondingRows,
  validatorDelegatorRows,
  validatorUnbondingRows,
  worthOf,
} from '../../ledger/index.ts';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { parseAccount, parseOperator } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { redelegations } from './redelegations.ts';
import { findValidator } from './staking.ts';

const SERVICE = '/cosmos.staking.v1beta1.Query';

export const DELEGATION_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Delegation`,
    [staking.QueryDelegationRequest, staking.QueryDelegationResponse],
    ({ delegatorAddr, validatorAddr }, scope) => ({
      delegationResponse: withBalance(scope, findDelegation(scope, delegatorAddr, validatorAddr)),
    }),
  ),
  queryMethod(
    `${SERVICE}/DelegatorDelegations`,
    [staking.QueryDelegatorDelegationsRequest, staking.QueryDelegatorDelegationsResponse],
    async ({ delegatorAddr, pagination }, scope) => {
      const page = await pageOf(scope, delegationRows(parseAccount(delegatorAddr)), pagination);
      return {
        delegationResponses: page.items.map((delegation) => withBalance(scope, delegation)),
        pagination: page.pagination,
      };
    },
  ),
  queryMethod(
    `${SERVICE}/ValidatorDelegations`,
    [staking.QueryValidatorDelegationsRequest, staking.QueryValidatorDelegationsResponse],
    async ({ validatorAddr, pagination }, scope) => {
      const operator = parseOperator(validatorAddr);
      const rows = mapped(validatorDelegatorRows(operator), (delegator) =>
        readDelegation(scope.state, delegator, operator),
      );
      const page = await pageOf(scope, rows, pagination, isPresent);
      return {
        delegationResponses: page.items.filter(isPresent).map((delegation) => withBalance(scope, delegation)),
        pagination: page.pagination,
      };
    },
  ),
  queryMethod(
    `${SERVICE}/DelegatorUnbondingDelegations`,
    [staking.QueryDelegatorUnbondingDelegationsRequest, staking.QueryDelegatorUnbondingDelegationsResponse],
    async ({ delegatorAddr, pagination }, scope) => {
      const page = await pageOf(scope, unbondingRows(parseAccount(delegatorAddr)), pagination);
      return { unbondingResponses: page.items, pagination: page.pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/ValidatorUnbondingDelegations`,
    [staking.QueryValidatorUnbondingDelegationsRequest, staking.QueryValidatorUnbondingDelegationsResponse],
    async ({ validatorAddr, pagination }, scope) => {
      const operator = parseOperator(validatorAddr);
      const rows: RowRange<UnbondingDelegation | undefined> = mapped(
        validatorUnbondingRows(operator),
        (delegator) => readUnbonding(scope.state, delegator, operator),
      );
      const page = await pageOf(scope, rows, pagination, isPresent);
      return { unbondingResponses: page.items.filter(isPresent), pagination: page.pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/Redelegations`,
    [staking.QueryRedelegationsRequest, staking.QueryRedelegationsResponse],
    (request, scope) => redelegations(scope, request),
  ),
  queryMethod(
    `${SERVICE}/DelegatorValidators`,
    [staking.QueryDelegatorValidatorsRequest, staking.QueryDelegatorValidatorsResponse],
    async ({ delegatorAddr, pagination }, scope) => {
      const page = await pageOf(scope, delegationRows(parseAccount(delegatorAddr)), pagination);
      return {
        validators: page.items.map(({ validatorAddress }) => findValidator(scope, validatorAddress)),
        pagination: page.pagination,
      };
    },
  ),
  queryMethod(
    `${SERVICE}/DelegatorValidator`,
    [staking.QueryDelegatorValidatorRequest, staking.QueryDelegatorValidatorResponse],
    ({ delegatorAddr, validatorAddr }, scope) => {
      findDelegation(scope, delegatorAddr, validatorAddr);
      return { validator: findValidator(scope, validatorAddr) };
    },
  ),
];

function findDelegation({ state }: QueryScope, delegator: string, operator: string): Delegation {
  const delegation = readDelegation(state, parseAccount(delegator), parseOperator(operator));
  if (!delegation) {
    throw queryErrors.notFound(`delegation with delegator ${delegator} not found for validator ${operator}`);
  }
  return delegation;
}

/** The delegation and what its shares are worth, in whole units. */
function withBalance({ state }: QueryScope, delegation: Delegation): DelegationResponse {
  const validator = readValidator(state, parseOperator(delegation.validatorAddress));
  const stake = validator ? worthOf(validator, BigInt(delegation.shares)) : 0n;
  const amount = (stake / DECIMAL_ONE).toString();
  return { delegation, balance: { denom: BASE_DENOMINATION, amount } };
}

function mapped<T, U>(rows: RowRange<T>, change: (item: T) => U): RowRange<U> {
  return { ...rows, decode: (key, value) => change(rows.decode(key, value)) };
}

function isPresent<T>(item: T | undefined): item is T {
  return item !== undefined;
}
