import { type Html, html } from '@chain/platform/pages';

import { encodeCall, type FunctionFragment, isView } from '../abi/contractFunctions.ts';
import { decodedView } from '../abi/decodedView.ts';
import { accountOf } from '../chain/accounts.ts';
import { pageFailure } from '../chain/pageFailure.ts';
import { addressLink } from '../format/links.ts';
import type { Page, PageRequest } from '../server/pageRequest.ts';

const MAX_FUNCTIONS = 200;
const READ_GAS = '0x1c9c380';

/** The functions of a contract: reads are answered here, writes are prepared and sent by the browser. */
export const contractPage: Page = async (request) => {
  const { param, query, rpc, abis } = request;
  const { evmAddress } = await accountOf(param('address'), request);
  const code = await rpc.get<string>('eth_getCode', evmAddress, 'latest');
  const functions = abis.functionsIn(code).slice(0, MAX_FUNCTIONS);
  const asked = query.get('f');
  const fragment = asked === null ? undefined : functions.find(({ selector }) => selector === asked);
  if (asked !== null && !fragment)
    throw pageFailure(404, `The contract has no known function ${asked.slice(0, 20)}.`);
  const [reads, writes] = [functions.filter(isView), functions.filter((one) => !isView(one))];
  const list = (title: string, some: readonly FunctionFragment[]): Html =>
    html`<h2>${title}</h2>${some.map((one) => functionForm(evmAddress, one, query, one === fragment))}${some.length === 0 && html`<p class="dim">None is known.</p>`}`;
  const body = html`<h1>Functions of ${abis.names.nameOf(code) ?? 'a contract'}</h1><p>${addressLink(evmAddress, evmAddress)}</p>
${fragment && (await outcomeOf(evmAddress, fragment, request))}${list('Read', reads)}${list('Write', writes)}
<p class="dim">Functions are known by their ABI: of tokens, of precompiles, and of the build artefacts in the folders of <code>[explorer] artifacts</code>.</p>`;
  return { title: `Functions of ${evmAddress.slice(0, 10)}`, body };
};

function functionForm(
  address: string,
  fragment: FunctionFragment,
  query: URLSearchParams,
  isOpen: boolean,
): Html {
  const { selector, inputs, payable } = fragment;
  const field = (name: string, label: Html | string): Html =>
    html`<label for="${selector}-${name}">${label}</label><input id="${selector}-${name}" name="${name}" value="${isOpen ? (query.get(name) ?? '') : ''}" maxlength="2000" autocomplete="off" spellcheck="false">`;
  return html`<details class="function"${isOpen && html` open`}><summary><code>${fragment.format('sighash')}</code></summary>
<form action="/address/${address}/contract"><input type="hidden" name="f" value="${selector}">
${inputs.map(({ name, type }, i) => field(`a${i}`, html`${name || `#${i}`} <small>${type}</small>`))}
${payable && field('value', html`value <small>wei</small>`)}<button>${isView(fragment) ? 'Read' : 'Prepare'}</button></form></details>`;
}

async function outcomeOf(to: string, fragment: FunctionFragment, request: PageRequest): Promise<Html> {
  const { query, rpc, abis } = request;
  const texts = fragment.inputs.map((_, i) => query.get(`a${i}`) ?? '');
  const data = encodeCall(fragment, texts);
  if (!isView(fragment)) return prepared(to, data, request);
  const answer = await rpc.try<string>('eth_call', { to, data, gas: READ_GAS }, 'latest');
  if ('error' in answer) {
    const reason = typeof answer.error.data === 'string' ? abis.error(answer.error.data) : undefined;
    return html`<section aria-label="Answer"><h2>Refused</h2><p class="bad text">${answer.error.message}</p>${reason && decodedView(reason)}</section>`;
  }
  const decoded = abis.output(data, answer.result);
  return html`<section aria-label="Answer"><h2>Answer</h2>${decoded ? decodedView(decoded) : html`<pre class="bytes" tabindex="0">${answer.result}</pre>`}</section>`;
}

/** What the browser sends: through an account that the node hosts, or the wallet of the browser. */
async function prepared(to: string, data: string, { query, rpc }: PageRequest): Promise<Html> {
  const accounts = (await rpc.find<readonly string[]>('eth_accounts')) ?? [];
  const wei = (query.get('value') ?? '').trim();
  if (!/^\d{0,60}$/.test(wei)) throw pageFailure(400, 'value wants a whole number of wei.');
  const value = `0x${BigInt(wei || 0).toString(16)}`;
  return html`<section aria-label="Prepared transaction"><h2>Prepared transaction</h2><pre class="bytes" tabindex="0">${data}</pre>
<form class="inline" data-send data-to="${to}" data-input="${data}" data-value="${value}">
${accounts.length > 0 && html`<label for="from">From</label><select id="from" name="from">${accounts.map((one) => html`<option>${one}</option>`)}</select><button name="by" value="node">Send</button> `}<button name="by" value="wallet">Send with a wallet</button></form><p id="sent" role="status"></p></section>`;
}
