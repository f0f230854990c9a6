import { type Html, html } from '@chain/platform/pages';

/** What a page function gives; the frame around it is the same for all. */
export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** 200 by default. */
  readonly status?: number;
  /** The page is updated with each block by the events of this path. */
  readonly live?: string;
  /** The browser is sent there instead. */
  readonly redirect?: string;
}

export interface ChainNames {
  readonly chainId: string;
  readonly evmChainId: bigint;
  readonly release: string;
}

const SECTIONS = [
  ['/', 'Blocks'],
  ['/mempool', 'Mempool'],
  ['/validators', 'Validators'],
] as const;

/** The whole document. */
export function layout({ title, body, live }: PageContent, names: ChainNames, path: string): Html {
  const links = SECTIONS.map(
    ([href, name]) => html`<a href="${href}"${href === path && html` aria-current="page"`}>${name}</a>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${names.chainId}</title>
<link rel="icon" href="/explorer/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/explorer/style.css"><script type="module" src="/explorer/page.js"></script></head>
<body><a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/">${names.chainId}</a><nav aria-label="Sections">${links}</nav>
<form role="search" action="/search"><label class="hidden" for="q">Search</label><input id="q" name="q" type="search" maxlength="200" autocomplete="off" spellcheck="false" placeholder="Block, transaction or address"><button>Search</button></form></header>
<main id="main"${live !== undefined && html` data-live="${live}"`}>${body}</main>
<footer><p>chain id ${String(names.evmChainId)} · chaind ${names.release} · JSON-RPC at this address</p><p id="live" role="status"></p></footer></body></html>`;
}
