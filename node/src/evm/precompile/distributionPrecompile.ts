import {
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
  MsgWithdrawValidatorCommissionResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx';
import {
  BASE_DENOMINATION,
  delegationRows,
  pendingRewards,
  prefixRange,
  readCommission,
  readDistributionParams,
  readFeePool,
  readOutstandingRewards,
  readWithdrawAddress,
  runLedgerMessage,
  slashRows,
} from '../../ledger/index.ts';
import { BECH32_PREFIX, formatDecimal, fromBech32, hexToBytes, toBech32 } from '../../primitives/index.ts';
import type { AbiValue } from './abi/abiType.ts';
import { parseEvent } from './abi/parseAbi.ts';
import { associatedAccount, callerAccount, operatorAt } from './accounts.ts';
import { eventLog } from './eventLog.ts';
import { ledgerPrecompile } from './ledgerPrecompile.ts';
import { refused } from './precompileError.ts';
import { type PrecompileCall, precompileMethod } from './precompileMethod.ts';
import { rowPage } from './rowPage.ts';
import { tellWithdrawals, WITHDRAWN, withdrawalsOf } from './withdrawals.ts';

const ALL_WITHDRAWN = parseEvent(
  'MultipleDelegationRewardsWithdrawn(address indexed delegator, string[] validators, uint256[] amounts)',
);
const COMMISSION_WITHDRAWN = parseEvent(
  'ValidatorCommissionWithdrawn(string indexed validator, uint256 amount)',
);
const ADDRESS_SET = parseEvent('WithdrawAddressSet(address indexed delegator, address withdrawAddr)');

export const DISTRIBUTION_EVENTS = [WITHDRAWN, ALL_WITHDRAWN, COMMISSION_WITHDRAWN, ADDRESS_SET];

const COINS = '(uint256 amount, uint256 decimals, string denom)[]';
const DECIMALS = 18n;
const decimal = (text: string): string => formatDecimal(BigInt(text || '0'));

const QUERIES = [
  precompileMethod<[Uint8Array]>(
    `rewards(address delegatorAddress) view returns (((${COINS} coins, string validator_address)[] rewards, ${COINS} total) rewards)`,
    ([address], { ledger }) => [rewardsOf(ledger, associatedAccount(ledger.overlay, address))],
  ),
  precompileMethod<[Uint8Array, string]>(
    `delegationRewards(address delegatorAddress, string validatorAddress) view returns (${COINS} rewards)`,
    ([address, operator], { ledger: { overlay } }) => [
      coinsOf(pendingRewards(overlay, associatedAccount(overlay, address), operatorAt(operator))),
    ],
  ),
  precompileMethod<[Uint8Array]>(
    'delegatorWithdrawAddress(address delegatorAddress) view returns (string withdrawAddress)',
    ([address], { ledger: { overlay } }) => [
      toBech32(readWithdrawAddress(overlay, associatedAccount(overlay, address))),
    ],
  ),
  precompileMethod<[Uint8Array]>(
    'delegatorValidators(address delegatorAddress) view returns (string[] validators)',
    ([address], { ledger }) => [validatorsOf(ledger, associatedAccount(ledger.overlay, address))],
  ),
  precompileMethod<[string]>(
    `validatorCommission(string validatorAddress) view returns (${COINS} commission)`,
    ([text], { ledger }) => [decimalCoins(readCommission(ledger.overlay, operatorAt(text)).commission)],
  ),
  precompileMethod<[string]>(
    `validatorOutstandingRewards(string validatorAddress) view returns (${COINS} rewards)`,
    ([text], { ledger }) => [decimalCoins(readOutstandingRewards(ledger.overlay, operatorAt(text)).rewards)],
  ),
  precompileMethod<[string, bigint, bigint, Uint8Array]>(
    'validatorSlashes(string validatorAddress, uint64 startingHeight, uint64 endingHeight, bytes pageKey) view returns ((uint64 validatorPeriod, string fraction)[] slashes, bytes nextKey)',
    ([text, from, to, nextKey], { ledger }) => {
      const keep = ({ height }: { height: bigint }) => height >= from && (to === 0n || height <= to);
      const page = rowPage(ledger.overlay, slashRows(operatorAt(text)), { nextKey, keep });
      const slashes = page.items.map(({ event }) => [event.validatorPeriod, decimal(event.fraction)]);
      return [slashes, page.nextKey];
    },
  ),
  precompileMethod<[]>(
    'params() view returns ((string communityTax, string baseProposerReward, string bonusProposerReward, bool withdrawAddrEnabled) params)',
    (_args, { ledger }) => {
      const params = readDistributionParams(ledger.overlay);
      if (!params) throw refused("this chain's genesis has no staking");
      const { communityTax, baseProposerReward, bonusProposerReward, withdrawAddrEnabled } = params;
      return [[...[communityTax, baseProposerReward, bonusProposerReward].map(decimal), withdrawAddrEnabled]];
    },
  ),
  precompileMethod<[]>(`communityPool() view returns (${COINS} pool)`, (_args, { ledger }) => [
    decimalCoins(readFeePool(ledger.overlay).communityPool),
  ]),
];

const WRITES = [
  precompileMethod<[Uint8Array]>(
    'setWithdrawAddress(address withdrawAddr) nonpayable returns (bool success)',
    ([address], call) => {
      const message = {
        delegatorAddress: toBech32(callerAccount(call)),
        withdrawAddress: toBech32(associatedAccount(call.ledger.overlay, address)),
      };
      runLedgerMessage({ ...MsgSetWithdrawAddress, codec: MsgSetWithdrawAddress }, message, call.ledger);
      call.emit(eventLog(call, ADDRESS_SET, [call.context.caller, address]));
      return [true];
    },
  ),
  precompileMethod<[string]>(
    'withdrawDelegationRewards(string validator) nonpayable returns (bool success)',
    ([validator], call) => {
      const delegator = withdraw(call, [validator]);
      tellWithdrawals(call, delegator);
      return [true];
    },
  ),
  precompileMethod<[readonly string[]]>(
    'withdrawMultipleDelegationRewards(string[] validators) nonpayable returns (bool success)',
    ([validators], call) => {
      const paid = withdrawalsOf(call, withdraw(call, validators));
      const amounts = paid.map(({ amount }) => amount);
      call.emit(eventLog(call, ALL_WITHDRAWN, [call.context.caller, validators, amounts]));
      return [true];
    },
  ),
  precompileMethod<[]>('withdrawValidatorCommission() nonpayable returns (bool success)', (_args, call) => {
    const validatorAddress = toBech32(callerAccount(call), BECH32_PREFIX.validator);
    const codec = MsgWithdrawValidatorCommission;
    const { value } = runLedgerMessage({ ...codec, codec }, { validatorAddress }, call.ledger);
    const [coin] = MsgWithdrawValidatorCommissionResponse.decode(value).amount;
    call.emit(eventLog(call, COMMISSION_WITHDRAWN, [validatorAddress, BigInt(coin?.amount ?? '0')]));
    return [true];
  }),
];

export const DISTRIBUTION_METHODS = [...WRITES, ...QUERIES];

/** The precompile 0x…1007 (spec L-11, docs/abi/distribution.json): rewards of stake. */
export const distributionPrecompile = ledgerPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001007'),
  name: 'distribution',
  refusesDelegation: true,
  methods: DISTRIBUTION_METHODS,
});

/** Pays out what the caller earned with validators; returns who that is. */
function withdraw(call: PrecompileCall, validators: readonly string[]): string {
  const delegatorAddress = toBech32(callerAccount(call));
  const codec = MsgWithdrawDelegatorReward;
  for (const validatorAddress of validators) {
    runLedgerMessage({ ...codec, codec }, { delegatorAddress, validatorAddress }, call.ledger);
  }
  return delegatorAddress;
}

type Ledger = PrecompileCall['ledger'];

function validatorsOf({ overlay }: Ledger, delegator: Uint8Array): string[] {
  const { store, prefix, decode } = delegationRows(delegator);
  const rows = [...overlay.iterate(store, prefixRange(prefix))];
  return rows.map(([key, value]) => decode(key, value).validatorAddress);
}

function rewardsOf(ledger: Ledger, delegator: Uint8Array): AbiValue {
  let total = 0n;
  const each = validatorsOf(ledger, delegator).map((validator) => {
    const earned = pendingRewards(ledger.overlay, delegator, fromBech32(validator, BECH32_PREFIX.validator));
    total += earned;
    return [coinsOf(earned), validator];
  });
  return [each, coinsOf(total)];
}

/** An amount scaled by 10^18, as a list of coins. */
function coinsOf(amount: bigint): AbiValue {
  return amount === 0n ? [] : [[amount, DECIMALS, BASE_DENOMINATION]];
}

function decimalCoins(coins: readonly { readonly denom: string; readonly amount: string }[]): AbiValue {
  return coins.map(({ denom, amount }) => [BigInt(amount), DECIMALS, denom]);
}
