import type {
  QueryRedelegationsRequest,
  QueryRedelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query';
import { type Redelegation, RedelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  type RowRange,
  readRedelegation,
  readValidator,
  redelegationRows,
  worthOf,
} from '../../ledger/index.ts';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { parseAccount, parseOperator } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';

/** All of a delegator, or the one between two validators. */
export async function redelegations(
  scope: QueryScope,
  request: QueryRedelegationsRequest,
): Promise<QueryRedelegationsResponse> {
  const { delegatorAddr, srcValidatorAddr, dstValidatorAddr } = request;
  const delegator = parseAccount(delegatorAddr);
  if (srcValidatorAddr !== '' && dstValidatorAddr !== '') {
    const source = parseOperator(srcValidatorAddr);
    const found = readRedelegation(scope.state, delegator, {
      source,
      target: parseOperator(dstValidatorAddr),
    });
    if (!found) {
      throw queryErrors.notFound(
        `redelegation not found for delegator address ${delegatorAddr} from validator address ${srcValidatorAddr}`,
      );
    }
    return { redelegationResponses: [response(scope, found)] };
  }
  const rows: RowRange<Redelegation> = redelegationRows(delegator);
  const page = await pageOf(
    scope,
    rows,
    request.pagination,
    (item) =>
      (srcValidatorAddr === '' || item.validatorSrcAddress === srcValidatorAddr) &&
      (dstValidatorAddr === '' || item.validatorDstAddress === dstValidatorAddr),
  );
  return {
    redelegationResponses: page.items.map((item) => response(scope, item)),
    pagination: page.pagination,
  };
}

function response(scope: QueryScope, redelegation: Redelegation): RedelegationResponse {
  // It may be gone by now, with all its stake.
  const target = readValidator(scope.state, parseOperator(redelegation.validatorDstAddress));
  const entries = redelegation.entries.map((entry) => ({
    redelegationEntry: entry,
    balance: target ? (worthOf(target, BigInt(entry.sharesDst)) / DECIMAL_ONE).toString() : '0',
  }));
  // The entries stand beside the redelegation, not in it.
  return RedelegationResponse.fromPartial({ redelegation: { ...redelegation, entries: [] }, entries });
}
