import { html } from '@chain/platform/pages';
import type { RpcReader } from '../chain/rpcReader.ts';
import type { Page } from '../server/pageRequest.ts';
import { isHash } from './transactionPage.ts';

/** Leads to what the text names: a block, a transaction or an address. */
export const searchPage: Page = async ({ query, rpc }) => {
  const text = (query.get('q') ?? '').trim().slice(0, 200);
  const redirect = await placeOf(text, rpc);
  const body = html`<h1>Search</h1><p>${text === '' ? 'Write a block number, a hash, or an address in either form.' : html`Nothing here is named <b class="text">${text}</b>. A block number, a hash of a block or transaction, and an address in either form are found.`}</p>`;
  return { title: 'Search', body, status: text === '' ? 200 : 404, ...(redirect && { redirect }) };
};

async function placeOf(text: string, rpc: RpcReader): Promise<string | undefined> {
  const number = text.replace(/[,_]/g, '');
  if (/^\d{1,15}$/.test(number)) return `/block/${number}`;
  if (/^0x[0-9a-f]{40}$/i.test(text)) return `/address/${text}`;
  if (/^[a-z]{1,20}1[02-9ac-hj-np-z]{38,58}$/.test(text)) return `/address/${text}`;
  if (!isHash(text)) return undefined;
  const transaction = await rpc.find('eth_getTransactionByHash', text);
  if (transaction) return `/tx/${text}`;
  return (await rpc.find('eth_getBlockByHash', text, false)) ? `/block/${text}` : undefined;
}
