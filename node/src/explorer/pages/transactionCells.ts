import { type Html, html } from '@chain/platform/pages';
import type { AbiBook } from '../abi/abiBook.ts';
import type { RpcTransaction } from '../chain/rpcObjects.ts';

/** What a transaction calls: the function by name, or its selector. */
export function methodCell({ to, input }: RpcTransaction, abis: AbiBook): Html {
  if (to === null) return html`<span class="tag">create</span>`;
  if (input === '0x') return html`<span class="tag">transfer</span>`;
  const name = abis.functionName(input);
  return name === undefined
    ? html`<span class="tag hex">${input.slice(0, 10)}</span>`
    : html`<span class="tag">${name.slice(0, 40)}</span>`;
}
