import { DEFAULT_VALIDATOR_PARAMS, type GenesisValidator, type ValidatorParams } from '../../ledger/index.ts';
import { DECIMAL_ONE, utf8 } from '../../primitives/index.ts';
import { openProtoSchema, type ProtoSchema } from '../../proto/index.ts';
import type { BlockTime } from '../../types/index.ts';
import {
  arrayAt,
  bytesAt,
  chainAddressAt,
  decimalAt,
  genesisError,
  integerAt,
  objectAt,
  textAt,
} from './genesisFields.ts';
import type { GenesisStaking } from './genesisState.ts';
import { parseGenesisTransaction } from './genesisTransaction.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The sections that staking is made of; `undefined` on a chain without any. */
export function parseStaking(root: Fields): GenesisStaking | undefined {
  const genutil = objectAt(root.genutil, 'app_state.genutil', ['gen_txs']);
  const transactions = arrayAt(genutil.gen_txs, 'app_state.genutil.gen_txs');
  if (root.staking === undefined && transactions.length === 0) return undefined;
  const path = 'app_state.staking';
  const fields = objectAt(root.staking, path, ['params', 'validators', 'unbonding_seconds']);
  // Reading the compiled files takes a while, and most chains need none of them.
  let opened: ProtoSchema | undefined;
  const schema = (): ProtoSchema => {
    opened ??= openProtoSchema();
    return opened;
  };
  return {
    params: parseParams(root, fields),
    validators: arrayAt(fields.validators, `${path}.validators`).map(parseValidator),
    transactions: transactions.map((entry, i) =>
      parseGenesisTransaction(entry, `app_state.genutil.gen_txs[${i}]`, schema),
    ),
  };
}

function parseValidator(value: unknown, i: number): GenesisValidator {
  const path = `app_state.staking.validators[${i}]`;
  const validator = objectAt(value, path, ['operator', 'consensus_key', 'moniker', 'units']);
  const units = integerAt(validator.units, `${path}.units`);
  if (units === 0n) throw genesisError(`${path}.units`, validator.units, 'at least "1"');
  return {
    operator: chainAddressAt(validator.operator, `${path}.operator`),
    consensusKey: bytesAt(validator.consensus_key, `${path}.consensus_key`, 32),
    moniker: textAt(validator.moniker, `${path}.moniker`),
    units,
  };
}

function parseParams(root: Fields, staking: Fields): ValidatorParams {
  const { staking: defaults, distribution, slashing } = DEFAULT_VALIDATOR_PARAMS;
  const seconds = staking.unbonding_seconds;
  const unbondingTime =
    seconds === undefined
      ? defaults.unbondingTime
      : { seconds: integerAt(seconds, 'app_state.staking.unbonding_seconds'), nanos: 0 };
  return {
    staking: stakingParams(staking.params, { ...defaults, unbondingTime }),
    distribution: distributionParams(sectionParams(root.distribution, 'distribution'), distribution),
    slashing: slashingParams(sectionParams(root.slashing, 'slashing'), slashing),
  };
}

const sectionParams = (section: unknown, name: string): unknown =>
  objectAt(section, `app_state.${name}`, ['params']).params;

function stakingParams(value: unknown, absent: ValidatorParams['staking']): ValidatorParams['staking'] {
  const path = 'app_state.staking.params';
  const names = [
    'unbonding_time',
    'max_validators',
    'max_entries',
    'historical_entries',
    'bond_denom',
    'min_commission_rate',
  ];
  const read = reader(objectAt(value, path, names), path);
  const bondDenom = read('bond_denom', textAt, absent.bondDenom);
  if (bondDenom !== absent.bondDenom) {
    throw genesisError(`${path}.bond_denom`, bondDenom, `"${absent.bondDenom}", the base denomination`);
  }
  return {
    unbondingTime: read('unbonding_time', durationAt, absent.unbondingTime),
    maxValidators: read('max_validators', countAt, absent.maxValidators),
    maxEntries: read('max_entries', countAt, absent.maxEntries),
    historicalEntries: read('historical_entries', countOrNoneAt, absent.historicalEntries),
    bondDenom,
    minCommissionRate: read('min_commission_rate', fractionAt, BigInt(absent.minCommissionRate)).toString(),
  };
}

function distributionParams(
  value: unknown,
  absent: ValidatorParams['distribution'],
): ValidatorParams['distribution'] {
  const path = 'app_state.distribution.params';
  const names = ['community_tax', 'base_proposer_reward', 'bonus_proposer_reward', 'withdraw_addr_enabled'];
  const read = reader(objectAt(value, path, names), path);
  return {
    communityTax: read('community_tax', fractionAt, BigInt(absent.communityTax)).toString(),
    baseProposerReward: read('base_proposer_reward', fractionAt, 0n).toString(),
    bonusProposerReward: read('bonus_proposer_reward', fractionAt, 0n).toString(),
    withdrawAddrEnabled: read('withdraw_addr_enabled', flagAt, absent.withdrawAddrEnabled),
  };
}

function slashingParams(value: unknown, absent: ValidatorParams['slashing']): ValidatorParams['slashing'] {
  const path = 'app_state.slashing.params';
  const names = [
    'signed_blocks_window',
    'min_signed_per_window',
    'downtime_jail_duration',
    'slash_fraction_double_sign',
    'slash_fraction_downtime',
  ];
  const read = reader(objectAt(value, path, names), path);
  const fraction = (name: string, otherwise: Uint8Array): Uint8Array =>
    utf8(read(name, fractionAt, BigInt(Buffer.from(otherwise).toString())).toString());
  return {
    signedBlocksWindow: BigInt(read('signed_blocks_window', countAt, Number(absent.signedBlocksWindow))),
    minSignedPerWindow: fraction('min_signed_per_window', absent.minSignedPerWindow),
    downtimeJailDuration: read('downtime_jail_duration', durationAt, absent.downtimeJailDuration),
    slashFractionDoubleSign: fraction('slash_fraction_double_sign', absent.slashFractionDoubleSign),
    slashFractionDowntime: fraction('slash_fraction_downtime', absent.slashFractionDowntime),
  };
}

/** Reads members of an object; what is missing has a default. */
function reader(fields: Fields, path: string) {
  return <T>(name: string, read: (value: unknown, path: string) => T, absent: T): T =>
    fields[name] === undefined ? absent : read(fields[name], `${path}.${name}`);
}

/** A decimal from 0 to 1, scaled by 10^18. */
function fractionAt(value: unknown, path: string): bigint {
  const decimal = decimalAt(value, path);
  if (decimal > DECIMAL_ONE) throw genesisError(path, value, 'at most "1"');
  return decimal;
}

/** Numbers of 32 bits are numbers in the SDK's JSON, those of 64 bits strings; both are taken. */
function countOrNoneAt(value: unknown, path: string): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) {
    throw genesisError(path, value, 'a whole number such as 100');
  }
  return Number(text);
}

function countAt(value: unknown, path: string): number {
  const count = countOrNoneAt(value, path);
  if (count === 0) throw genesisError(path, value, 'at least 1');
  return count;
}

/** `1814400s` or `0.5s`. */
function durationAt(value: unknown, path: string): BlockTime {
  const parts = typeof value === 'string' ? /^(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(value) : null;
  const seconds = BigInt(parts?.[1] ?? '0');
  const nanos = Number((parts?.[2] ?? '').padEnd(9, '0'));
  if (seconds === 0n && nanos === 0) {
    throw genesisError(path, value, 'a duration above zero in seconds such as "1814400s"');
  }
  return { seconds, nanos };
}

function flagAt(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw genesisError(path, value, 'true or false');
  return value;
}
