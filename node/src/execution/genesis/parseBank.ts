import {
  BASE_DENOMINATION,
  type DenominationMetadata,
  isDenomination,
  WEI_PER_UNIT,
} from '../../ledger/index.ts';
import { anyAddressAt, arrayAt, genesisError, integerAt, objectAt, textAt } from './genesisFields.ts';
import type { GenesisBalance } from './genesisState.ts';

const MAX_EXPONENT = 0xff;

/** An entry of `app_state.bank.balances`. */
export function parseBalance(value: unknown, i: number): GenesisBalance {
  const path = `app_state.bank.balances[${i}]`;
  const fields = objectAt(value, path, ['address', 'wei', 'coins']);
  let wei = fields.wei === undefined ? 0n : integerAt(fields.wei, `${path}.wei`);
  const coins: { denomination: string; amount: bigint }[] = [];
  for (const [at, coin] of arrayAt(fields.coins, `${path}.coins`).entries()) {
    const coinPath = `${path}.coins[${at}]`;
    const { denom, amount } = objectAt(coin, coinPath, ['denom', 'amount']);
    const units = integerAt(amount, `${coinPath}.amount`);
    const denomination = denominationAt(denom, `${coinPath}.denom`);
    if (denomination === BASE_DENOMINATION) wei += units * WEI_PER_UNIT;
    else coins.push({ denomination, amount: units });
  }
  const owner = anyAddressAt(fields.address, `${path}.address`);
  return { ...owner, wei, coins };
}

function denominationAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  if (isDenomination(text)) return text;
  throw genesisError(path, value, 'a denomination: a letter, then 2 to 127 letters, digits or "/:._-"');
}

/** `app_state.bank.denom_metadata`, by the SDK's rules. */
export function parseMetadata(value: unknown): DenominationMetadata[] {
  const path = 'app_state.bank.denom_metadata';
  const seen = new Set<string>();
  return arrayAt(value, path).map((entry, i) => {
    const metadata = parseOneMetadata(entry, `${path}[${i}]`);
    if (seen.has(metadata.base)) throw genesisError(`${path}[${i}].base`, metadata.base, 'described once');
    seen.add(metadata.base);
    return metadata;
  });
}

const MEMBERS = ['description', 'denom_units', 'base', 'display', 'name', 'symbol', 'uri', 'uri_hash'];

function parseOneMetadata(entry: unknown, path: string): DenominationMetadata {
  const fields = objectAt(entry, path, MEMBERS);
  const optional = (key: string) => (fields[key] === undefined ? '' : textAt(fields[key], `${path}.${key}`));
  const base = denominationAt(fields.base, `${path}.base`);
  const denomUnits = arrayAt(fields.denom_units, `${path}.denom_units`).map((unit, i) =>
    parseUnit(unit, `${path}.denom_units[${i}]`),
  );
  const isAscending = denomUnits.every(
    ({ exponent }, i) => i === 0 || exponent > denomUnits[i - 1]!.exponent,
  );
  if (denomUnits[0]?.denom !== base || denomUnits[0].exponent !== 0 || !isAscending) {
    throw genesisError(
      `${path}.denom_units`,
      fields.denom_units,
      `"${base}" with exponent 0, then greater ones`,
    );
  }
  const display = denominationAt(fields.display, `${path}.display`);
  if (!denomUnits.some(({ denom }) => denom === display)) {
    throw genesisError(`${path}.display`, display, 'one of denom_units');
  }
  return {
    description: optional('description'),
    denomUnits,
    base,
    display,
    name: nameAt(fields.name, `${path}.name`),
    symbol: nameAt(fields.symbol, `${path}.symbol`),
    uri: optional('uri'),
    uriHash: optional('uri_hash'),
  };
}

function parseUnit(value: unknown, path: string): DenominationMetadata['denomUnits'][number] {
  const { denom, exponent, aliases } = objectAt(value, path, ['denom', 'exponent', 'aliases']);
  const isExponent = Number.isInteger(exponent) && Number(exponent) >= 0 && Number(exponent) <= MAX_EXPONENT;
  if (!isExponent) throw genesisError(`${path}.exponent`, exponent, `a number from 0 to ${MAX_EXPONENT}`);
  return {
    denom: denominationAt(denom, `${path}.denom`),
    exponent: Number(exponent),
    aliases: arrayAt(aliases, `${path}.aliases`).map((alias, i) => textAt(alias, `${path}.aliases[${i}]`)),
  };
}

function nameAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  if (text.trim() === '') throw genesisError(path, value, 'a name for wallets to show');
  return text;
}
