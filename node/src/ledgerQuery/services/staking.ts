import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/query';
import { bondStatusToJSON, type Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  readStakingParams,
  readStakingPool,
  readUnbonding,
  readValidator,
  validatorRows,
} from '../../ledger/index.ts';
import { parseAccount, parseOperator } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { historicalInfo } from './historicalInfo.ts';

const SERVICE = '/cosmos.staking.v1beta1.Query';

const STATUSES = new Set(['', 'BOND_STATUS_BONDED', 'BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING']);

/** Validators, parameters and the pool; delegations are in `delegations.ts`. */
export const STAKING_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Validators`,
    [staking.QueryValidatorsRequest, staking.QueryValidatorsResponse],
    async (request, scope) => {
      const { status } = request;
      if (!STATUSES.has(status)) throw queryErrors.invalid(`invalid validator status ${status.slice(0, 60)}`);
      const keep = (validator: Validator) => status === '' || bondStatusToJSON(validator.status) === status;
      const { items, pagination } = await pageOf(scope, validatorRows(), request.pagination, keep);
      return { validators: items, pagination };
    },
  ),
  queryMethod(
    `${SERVICE}/Validator`,
    [staking.QueryValidatorRequest, staking.QueryValidatorResponse],
    ({ validatorAddr }, scope) => ({ validator: findValidator(scope, validatorAddr) }),
  ),
  queryMethod(
    `${SERVICE}/UnbondingDelegation`,
    [staking.QueryUnbondingDelegationRequest, staking.QueryUnbondingDelegationResponse],
    ({ delegatorAddr, validatorAddr }, { state }) => {
      const unbond = readUnbonding(state, parseAccount(delegatorAddr), parseOperator(validatorAddr));
      if (!unbond) {
        throw queryErrors.notFound(
          `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
        );
      }
      return { unbond };
    },
  ),
  queryMethod(
    `${SERVICE}/HistoricalInfo`,
    [staking.QueryHistoricalInfoRequest, staking.QueryHistoricalInfoResponse],
    (request, scope) => historicalInfo(scope, request),
  ),
  queryMethod(
    `${SERVICE}/Pool`,
    [staking.QueryPoolRequest, staking.QueryPoolResponse],
    (_request, { state }) => {
      const { bonded, notBonded } = readStakingPool(state);
      return { pool: { bondedTokens: bonded.toString(), notBondedTokens: notBonded.toString() } };
    },
  ),
  queryMethod(
    `${SERVICE}/Params`,
    [staking.QueryParamsRequest, staking.QueryParamsResponse],
    (_request, { state }) => {
      const params = readStakingParams(state);
      if (!params) throw queryErrors.notFound("this chain's genesis has no staking");
      return { params };
    },
  ),
];

export function findValidator({ state }: QueryScope, operator: string): Validator {
  const validator = readValidator(state, parseOperator(operator));
  if (!validator) throw queryErrors.notFound(`validator ${operator} not found`);
  return validator;
}
