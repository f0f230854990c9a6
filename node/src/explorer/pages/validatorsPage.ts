import { html } from '@chain/platform/pages';
import { pageFailure } from '../chain/pageFailure.ts';
import { grouped, scaled } from '../format/numbers.ts';
import { facts, table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';

interface Validator {
  readonly operator_address: string;
  readonly jailed: boolean;
  readonly status: string;
  readonly tokens: string;
  readonly description: { readonly moniker: string };
  readonly commission: { readonly commission_rates: { readonly rate: string } };
}

const STATUS: Readonly<Record<string, string>> = {
  BOND_STATUS_BONDED: 'bonded',
  BOND_STATUS_UNBONDING: 'unbonding',
  BOND_STATUS_UNBONDED: 'not bonded',
};
const MAX_MONIKER = 70;

/** The validators of the ledger, and what is staked. */
export const validatorsPage: Page = async ({ ledger }) => {
  const [found, pool] = await Promise.all([
    ledger.find<{ validators: readonly Validator[] }>('/cosmos.staking.v1beta1.Query/Validators', {
      'pagination.limit': '100',
    }),
    ledger.find<{ pool: { bonded_tokens: string; not_bonded_tokens: string } }>(
      '/cosmos.staking.v1beta1.Query/Pool',
      {},
    ),
  ]);
  if (!found) throw pageFailure(502, 'The ledger gives no list of validators now.');
  const byStake = found.validators.toSorted((a, b) => (BigInt(a.tokens) < BigInt(b.tokens) ? 1 : -1));
  const body = html`<h1>Validators</h1>${
    pool &&
    facts([
      ['Bonded', grouped(BigInt(pool.pool.bonded_tokens))],
      ['Not bonded', grouped(BigInt(pool.pool.not_bonded_tokens))],
    ])
  }${table(
    'Validators',
    [
      { title: 'Name' },
      { title: 'Operator' },
      { title: 'Status' },
      { title: 'Stake', isNumber: true },
      { title: 'Commission', isNumber: true },
    ],
    byStake.map((one) => [
      one.description.moniker.slice(0, MAX_MONIKER),
      html`<span class="hex">${one.operator_address}</span>`,
      one.jailed ? html`<b class="bad">jailed</b>` : (STATUS[one.status] ?? one.status),
      grouped(BigInt(one.tokens)),
      rateText(one.commission.commission_rates.rate),
    ]),
    'The ledger has no validator.',
  )}`;
  return { title: 'Validators', body };
};

/** A decimal such as `0.100000000000000000` in percent. */
function rateText(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.');
  return `${scaled(BigInt(whole + fraction.padEnd(18, '0').slice(0, 18)), 16)} %`;
}
