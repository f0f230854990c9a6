import { type Html, html } from '@chain/platform/pages';
import { addressLink } from '../format/links.ts';
import type { Decoded } from './abiBook.ts';

/** A decoded call, log or error: its signature, and a row for each value. */
export function decodedView({ signature, values }: Decoded): Html {
  const rows = values.map(
    ({ name, type, text, address }, i) =>
      html`<div><dt>${name === '' ? `#${i}` : name} <small>${type}</small></dt><dd class="text">${address ? addressLink(address) : text}</dd></div>`,
  );
  return html`<p><code>${signature}</code></p>${rows.length > 0 && html`<dl class="facts">${rows}</dl>`}`;
}

/** On one line: `transfer(to: 0x…, value: 5)`. */
export function decodedLine({ name, values }: Decoded): string {
  return `${name}(${values.map((value) => `${value.name === '' ? '' : `${value.name}: `}${value.text}`).join(', ')})`;
}

/** Bytes that have no known meaning. */
export function bytesView(hex: string): Html {
  const bytes = (hex.length - 2) / 2;
  if (bytes <= 0) return html`<p class="dim">none</p>`;
  const isCut = hex.length > MAX_SHOWN;
  return html`<details${bytes <= 132 && html` open`}><summary>${bytes} bytes</summary><pre class="bytes" tabindex="0">${isCut ? `${hex.slice(0, MAX_SHOWN)}…` : hex}</pre></details>`;
}

const MAX_SHOWN = 20_000;
