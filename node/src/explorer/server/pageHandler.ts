import { type Clock, CrashBoundary, clientOf, isCodedError, type Logger } from '@chain/platform';
import { HTML_TYPE, html, pageHeaders } from '@chain/platform/pages';
import type { HttpHandler, HttpReply, HttpRequest } from '@chain/platform/servers';
import type { AbiBook } from '../abi/abiBook.ts';
import type { ArtifactFolders } from '../abi/artifactFolders.ts';
import { type AskLedger, LedgerReader } from '../chain/ledgerReader.ts';
import { type AskRpc, RpcReader } from '../chain/rpcReader.ts';
import { type ChainNames, layout, type PageContent } from '../pages/layout.ts';
import type { Page } from './pageRequest.ts';

export interface PageHandlerDeps {
  readonly ask: AskRpc;
  readonly askLedger: AskLedger;
  readonly abis: AbiBook;
  readonly folders: ArtifactFolders;
  readonly names: ChainNames;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A page that takes longer shows what it was waiting for as missing. */
const PAGE_TIMEOUT_MS = 15_000;
const HEADERS = { ...pageHeaders({ forms: true, images: true }), 'content-type': HTML_TYPE };

/** Makes handlers of pages, of which at most `maxPages` run at once. */
export function pageHandlers(
  { maxPages }: { readonly maxPages: number },
  deps: PageHandlerDeps,
): (page: Page) => HttpHandler {
  const boundary = new CrashBoundary({ name: 'explorer' }, deps);
  let running = 0;
  return (page) => async (request) => {
    if (running >= maxPages)
      return replyOf(failed(503, 'The explorer is busy. Try again in a moment.'), request);
    running++;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort('the page took too long'), PAGE_TIMEOUT_MS);
    request.onClose(() => abort.abort('the browser is gone'));
    try {
      await deps.folders.refresh();
      return replyOf(await page(pageRequest(request, abort.signal)), request);
    } catch (error) {
      if (isCodedError(error, 'EXPLORER_NOT_SHOWN')) {
        return replyOf(failed(Number(error.fields.status), error.message), request);
      }
      boundary.report(error, { url: request.url });
      return replyOf(
        failed(500, 'The explorer could not make this page. The log of the node says why.'),
        request,
      );
    } finally {
      clearTimeout(timer);
      running--;
    }
  };

  function pageRequest({ params, url, remoteAddress }: HttpRequest, signal: AbortSignal) {
    const start = url.indexOf('?');
    return {
      param: (name: string) => params[name] ?? '',
      query: new URLSearchParams(start < 0 ? '' : url.slice(start + 1)),
      rpc: new RpcReader(deps.ask, { client: clientOf(remoteAddress), signal }),
      ledger: new LedgerReader(deps.askLedger, signal),
      abis: deps.abis,
      now: deps.clock.now(),
    };
  }

  function replyOf(content: PageContent, { url }: HttpRequest): HttpReply {
    if (content.redirect !== undefined) {
      return { status: 303, headers: { ...HEADERS, location: content.redirect }, body: '' };
    }
    const path = url.replace(/\?.*$/s, '');
    return {
      status: content.status ?? 200,
      headers: HEADERS,
      body: layout(content, deps.names, path).text,
    };
  }
}

function failed(status: number, message: string): PageContent {
  const title = status === 404 ? 'Not found' : 'Not shown';
  return {
    title,
    status,
    body: html`<h1>${title}</h1><p>${message}</p><p><a href="/">Newest blocks</a></p>`,
  };
}
