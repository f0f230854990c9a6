import { type Html, html } from '@chain/platform/pages';

/** The first and last characters of a hash; the whole stands in the title. */
function shortHex(hex: string): string {
  return hex.length <= 20 ? hex : `${hex.slice(0, 10)}…${hex.slice(-8)}`;
}

export function blockLink(number: string | number): Html {
  const height = Number(number);
  return html`<a href="/block/${height}">${height}</a>`;
}

export function transactionLink(hash: string): Html {
  return html`<a class="hex" href="/tx/${hash}" title="${hash}">${shortHex(hash)}</a>`;
}

/** `name` takes the place of the digits, which stay in the title. */
export function addressLink(address: string | null | undefined, name?: string): Html {
  if (!address) return html`<span class="dim">new contract</span>`;
  const shown = name ?? shortHex(address);
  return html`<a class="${name === undefined ? 'hex' : 'named'}" href="/address/${address}" title="${address}">${shown}</a>`;
}
