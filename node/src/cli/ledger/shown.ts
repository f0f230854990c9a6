import { printFields, printTable } from '../print.ts';

/** What a person sees of an answer: rows, or fields with their values. */
export type Shown =
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Said in place of a table without rows. */
      readonly none: string;
    }
  | { readonly fields: Readonly<Record<string, unknown>> };

export function printShown(shown: Shown): void {
  if ('fields' in shown) printFields(shown.fields, 'text');
  else if (shown.rows.length === 0) console.error(shown.none);
  else printTable(shown.columns, shown.rows);
}

/** "0.100000000000000000" as "10%". */
export function percent(rate: string): string {
  return `${shortDecimal(String(Number(rate) * 100))}%`;
}

/** A decimal without zeros at its end. */
function shortDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** BOND_STATUS_UNBONDING as "unbonding". */
export function statusText({ status, jailed }: { status: string; jailed: boolean }): string {
  const text = status.replace('BOND_STATUS_', '').toLowerCase();
  return jailed ? `${text}, jailed` : text;
}

/** Coins in one cell. */
export function coinsText(coins: readonly { readonly amount: string; readonly denom: string }[]): string {
  return coins.map(({ amount, denom }) => `${shortDecimal(amount)}${denom}`).join(', ') || '0';
}
