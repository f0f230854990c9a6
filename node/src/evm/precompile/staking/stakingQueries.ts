import { bondStatusToJSON, type Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  BASE_DENOMINATION,
  delegationRows,
  readBondedSet,
  readDelegation,
  readRedelegation,
  readStakingParams,
  readStakingPool,
  readUnbonding,
  readValidator,
  redelegationRows,
  unbondingRows,
  validatorDelegatorRows,
  validatorRows,
  validatorUnbondingRows,
} from '../../../ledger/index.ts';
import { DECIMAL_ONE, formatDecimal } from '../../../primitives/index.ts';
import type { PointReads } from '../../../state/view/index.ts';
import { associatedAccount, chainAccountAt, operatorAt } from '../accounts.ts';
import { refused } from '../precompileError.ts';
import { precompileMethod } from '../precompileMethod.ts';
import { rowPage } from '../rowPage.ts';
import {
  DELEGATION_TUPLE,
  delegationValue,
  REDELEGATION_TUPLE,
  redelegationValue,
  UNBONDING_TUPLE,
  unbondingValue,
  VALIDATOR_TUPLE,
  validatorValue,
} from './stakingValues.ts';

const STATUSES = new Set(['', 'BOND_STATUS_BONDED', 'BOND_STATUS_UNBONDED', 'BOND_STATUS_UNBONDING']);
const page = (tuple: string, name: string): string => `(${tuple}[] ${name}, bytes nextKey) response`;

export const STAKING_QUERIES = [
  precompileMethod<[Uint8Array, string]>(
    `delegation(address delegator, string valAddress) view returns (${DELEGATION_TUPLE} delegation)`,
    ([address, text], { ledger: { overlay } }) => {
      const operator = operatorAt(text);
      const delegation = readDelegation(overlay, associatedAccount(overlay, address), operator);
      if (!delegation) throw refused(`there is no delegation of this account to ${text}`);
      return [delegationValue(delegation, validatorOf(overlay, operator))];
    },
  ),
  precompileMethod<[string, Uint8Array]>(
    `validators(string status, bytes nextKey) view returns (${page(VALIDATOR_TUPLE, 'validators')})`,
    ([status, nextKey], { ledger }) => {
      if (!STATUSES.has(status)) throw refused(`invalid validator status ${status.slice(0, 60)}`);
      const keep = (one: Validator) => status === '' || bondStatusToJSON(one.status) === status;
      const found = rowPage(ledger.overlay, validatorRows(), { nextKey, keep });
      return [[found.items.map(validatorValue), found.nextKey]];
    },
  ),
  precompileMethod<[string]>(
    `validator(string validatorAddress) view returns (${VALIDATOR_TUPLE} validator)`,
    ([text], { ledger }) => [validatorValue(validatorOf(ledger.overlay, operatorAt(text)))],
  ),
  precompileMethod<[string, Uint8Array]>(
    `validatorDelegations(string validatorAddress, bytes nextKey) view returns (${page(DELEGATION_TUPLE, 'delegations')})`,
    ([text, nextKey], { ledger: { overlay } }) => {
      const operator = operatorAt(text);
      const validator = validatorOf(overlay, operator);
      const found = rowPage(overlay, validatorDelegatorRows(operator), { nextKey });
      const items = found.items.map((delegator) =>
        delegationValue(readDelegation(overlay, delegator, operator)!, validator),
      );
      return [[items, found.nextKey]];
    },
  ),
  precompileMethod<[string, Uint8Array]>(
    `validatorUnbondingDelegations(string validatorAddress, bytes nextKey) view returns (${page(UNBONDING_TUPLE, 'unbondingDelegations')})`,
    ([text, nextKey], { ledger: { overlay } }) => {
      const operator = operatorAt(text);
      const found = rowPage(overlay, validatorUnbondingRows(operator), { nextKey });
      const items = found.items.map((delegator) =>
        unbondingValue(readUnbonding(overlay, delegator, operator)!),
      );
      return [[items, found.nextKey]];
    },
  ),
  precompileMethod<[Uint8Array, string]>(
    `unbondingDelegation(address delegator, string validatorAddress) view returns (${UNBONDING_TUPLE} unbondingDelegation)`,
    ([address, text], { ledger: { overlay } }) => {
      const unbonding = readUnbonding(overlay, associatedAccount(overlay, address), operatorAt(text));
      if (!unbonding) throw refused(`this account does not unbond from ${text}`);
      return [unbondingValue(unbonding)];
    },
  ),
  precompileMethod<[Uint8Array, Uint8Array]>(
    `delegatorDelegations(address delegator, bytes nextKey) view returns (${page(DELEGATION_TUPLE, 'delegations')})`,
    ([address, nextKey], { ledger: { overlay } }) => {
      const found = rowPage(overlay, delegationRows(associatedAccount(overlay, address)), { nextKey });
      const items = found.items.map((one) =>
        delegationValue(one, validatorOf(overlay, operatorAt(one.validatorAddress))),
      );
      return [[items, found.nextKey]];
    },
  ),
  precompileMethod<[Uint8Array, string]>(
    `delegatorValidator(address delegator, string validatorAddress) view returns (${VALIDATOR_TUPLE} validator)`,
    ([address, text], { ledger: { overlay } }) => {
      const operator = operatorAt(text);
      if (!readDelegation(overlay, associatedAccount(overlay, address), operator)) {
        throw refused(`there is no delegation of this account to ${text}`);
      }
      return [validatorValue(validatorOf(overlay, operator))];
    },
  ),
  precompileMethod<[Uint8Array, Uint8Array]>(
    `delegatorUnbondingDelegations(address delegator, bytes nextKey) view returns (${page(UNBONDING_TUPLE, 'unbondingDelegations')})`,
    ([address, nextKey], { ledger: { overlay } }) => {
      const found = rowPage(overlay, unbondingRows(associatedAccount(overlay, address)), { nextKey });
      return [[found.items.map(unbondingValue), found.nextKey]];
    },
  ),
  precompileMethod<[Uint8Array, Uint8Array]>(
    `delegatorValidators(address delegator, bytes nextKey) view returns (${page(VALIDATOR_TUPLE, 'validators')})`,
    ([address, nextKey], { ledger: { overlay } }) => {
      const found = rowPage(overlay, delegationRows(associatedAccount(overlay, address)), { nextKey });
      const items = found.items.map(({ validatorAddress }) =>
        validatorValue(validatorOf(overlay, operatorAt(validatorAddress))),
      );
      return [[items, found.nextKey]];
    },
  ),
  precompileMethod<[string, string, string, Uint8Array]>(
    `redelegations(string delegator, string srcValidator, string dstValidator, bytes nextKey) view returns (${page(REDELEGATION_TUPLE, 'redelegations')})`,
    ([delegatorText, source, target, nextKey], { ledger: { overlay } }) => {
      const delegator = chainAccountAt(delegatorText);
      if (source !== '' && target !== '') {
        const between = { source: operatorAt(source), target: operatorAt(target) };
        const one = readRedelegation(overlay, delegator, between);
        if (!one) throw refused(`there is no redelegation from ${source} to ${target}`);
        return [[[redelegationValue(one)], new Uint8Array(0)]];
      }
      const found = rowPage(overlay, redelegationRows(delegator), {
        nextKey,
        keep: (one) =>
          (source === '' || one.validatorSrcAddress === source) &&
          (target === '' || one.validatorDstAddress === target),
      });
      return [[found.items.map(redelegationValue), found.nextKey]];
    },
  ),
  precompileMethod<[bigint]>(
    `historicalInfo(int64 height) view returns ((int64 height, ${VALIDATOR_TUPLE}[] validators) info)`,
    ([height], { ledger }) => {
      const validators = readBondedSet(ledger.overlay, height, ledger.height);
      if (!validators) throw refused(`historical info for height ${height} not found`);
      return [[height, validators.map(validatorValue)]];
    },
  ),
  precompileMethod<[]>(
    'pool() view returns ((string notBondedTokens, string bondedTokens) pool)',
    (_args, { ledger }) => {
      const { bonded, notBonded } = readStakingPool(ledger.overlay);
      return [[notBonded.toString(), bonded.toString()]];
    },
  ),
  precompileMethod<[]>(
    'params() view returns ((uint64 unbondingTime, uint32 maxValidators, uint32 maxEntries, uint32 historicalEntries, string bondDenom, string minCommissionRate, string maxVotingPowerRatio, string maxVotingPowerEnforcementThreshold) params)',
    (_args, { ledger }) => {
      const params = readStakingParams(ledger.overlay);
      if (!params) throw refused("this chain's genesis has no staking");
      const numbers = [params.maxValidators, params.maxEntries, params.historicalEntries].map(BigInt);
      const minimum = formatDecimal(BigInt(params.minCommissionRate || '0'));
      // Voting power has no cap here: all of it, from nothing on.
      const cap = [formatDecimal(DECIMAL_ONE), '0'];
      return [[params.unbondingTime.seconds, ...numbers, BASE_DENOMINATION, minimum, ...cap]];
    },
  ),
];

function validatorOf(state: PointReads, operator: Uint8Array): Validator {
  const validator = readValidator(state, operator);
  if (!validator) throw refused('validator does not exist');
  return validator;
}
