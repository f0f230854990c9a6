import { type Html, html } from '@chain/platform/pages';
import { bytesView } from '../abi/decodedView.ts';
import { type Account, accountOf } from '../chain/accounts.ts';
import { pageFailure } from '../chain/pageFailure.ts';
import { readToken, type TokenFacts } from '../chain/tokenReader.ts';
import { grouped, scaled, tokens } from '../format/numbers.ts';
import { facts, table } from '../format/tables.ts';
import type { Page, PageRequest } from '../server/pageRequest.ts';
import { heldTokens } from './heldTokens.ts';

/** An account under both of its addresses: balances, tokens, code, and one slot of its storage. */
export const addressPage: Page = async (request) => {
  const { param, rpc } = request;
  const account = await accountOf(param('address'), request);
  const { evmAddress } = account;
  const [balance, nonce, code] = await Promise.all([
    rpc.get<string>('eth_getBalance', evmAddress, 'latest'),
    rpc.get<string>('eth_getTransactionCount', evmAddress, 'latest'),
    rpc.get<string>('eth_getCode', evmAddress, 'latest'),
  ]);
  const isContract = code !== '0x';
  const [token, coins, held, slot] = await Promise.all([
    isContract ? readToken(evmAddress, request) : undefined,
    coinsTable(account, request),
    heldTokens(evmAddress, request),
    isContract && slotView(evmAddress, request),
  ]);
  const body = html`<h1>${isContract ? 'Contract' : 'Account'}</h1>${facts([
    ['Name', isContract && request.abis.names.nameOf(code)],
    ['Address', html`<span class="hex whole">${evmAddress}</span>`],
    [
      'Ledger address',
      html`<span class="hex whole">${account.chainAddress}</span>${!account.isAssociated && html` <small>not associated yet</small>`}`,
    ],
    ['Balance', tokens(balance)],
    ['Nonce', grouped(BigInt(nonce))],
    ...tokenRows(token),
  ])}${coins}${held}${isContract && html`<h2>Code</h2><p><a href="/address/${evmAddress}/contract">Read and write its functions</a></p>${bytesView(code)}${slot}`}
<h2>Transactions</h2><p><a href="/address/${evmAddress}/transactions">Search the newest blocks</a> for transactions in whose calls it takes part.</p>`;
  return { title: `${isContract ? 'Contract' : 'Account'} ${evmAddress.slice(0, 10)}`, body };
};

function tokenRows(token: TokenFacts | undefined): (readonly [string, string | undefined])[] {
  if (!token) return [];
  const { name, symbol, decimals, supply } = token;
  return [
    ['Token', name === undefined ? symbol : `${name} (${symbol})`],
    ['Decimals', String(decimals)],
    ['Supply', supply === undefined ? undefined : scaled(supply, decimals)],
  ];
}

interface Coins {
  readonly balances: readonly { readonly denom: string; readonly amount: string }[];
}

async function coinsTable({ chainAddress }: Account, { ledger }: PageRequest): Promise<Html | false> {
  const found = await ledger.find<Coins>('/cosmos.bank.v1beta1.Query/AllBalances', { address: chainAddress });
  if (!found || found.balances.length === 0) return false;
  return html`<h2>Coins of the ledger</h2>${table(
    'Coins of the ledger',
    [{ title: 'Denomination' }, { title: 'Amount', isNumber: true }],
    found.balances.map(({ denom, amount }) => [denom, grouped(BigInt(amount))]),
    '',
  )}`;
}

/** The form works without JavaScript: `?slot=` asks for one. */
async function slotView(address: string, { query, rpc }: PageRequest): Promise<Html> {
  const asked = (query.get('slot') ?? '').trim();
  return html`<h2>Storage</h2><form class="inline" action="/address/${address}"><label for="slot">Slot</label>
<input id="slot" name="slot" value="${asked}" placeholder="0x0" maxlength="80" autocomplete="off" spellcheck="false"><button>Read</button></form>
${asked !== '' && html`<pre class="bytes" tabindex="0">${await rpc.get<string>('eth_getStorageAt', address, slotOf(asked), 'latest')}</pre>`}`;
}

function slotOf(text: string): string {
  const isNumber = /^\d{1,78}$/.test(text) || /^0x[0-9a-f]{1,64}$/i.test(text);
  if (!isNumber) throw pageFailure(400, `${text} is no slot: write a number, such as 5 or 0x5.`);
  return `0x${BigInt(text).toString(16)}`;
}
