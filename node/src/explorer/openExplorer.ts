import type { Clock, Logger } from '@chain/platform';
import { pageHeaders } from '@chain/platform/pages';
import type { HttpHandler, HttpReply, HttpRoute } from '@chain/platform/servers';
import type { Chain } from '../chain/index.ts';
import { AbiBook } from './abi/abiBook.ts';
import { ArtifactFolders } from './abi/artifactFolders.ts';
import { type AskLedger, LedgerReader } from './chain/ledgerReader.ts';
import { pageFailure } from './chain/pageFailure.ts';
import { type AskRpc, RpcReader } from './chain/rpcReader.ts';
import { BlockSamples } from './live/blockSamples.ts';
import { LiveHub } from './live/liveHub.ts';
import { addressPage } from './pages/addressPage.ts';
import { blockPage } from './pages/blockPage.ts';
import { callsPage } from './pages/callsPage.ts';
import { contractPage } from './pages/contractPage.ts';
import { historyPage } from './pages/historyPage.ts';
import { homePage } from './pages/homePage.ts';
import type { ChainNames } from './pages/layout.ts';
import { mempoolPage } from './pages/mempoolPage.ts';
import { searchPage } from './pages/searchPage.ts';
import { statePage } from './pages/statePage.ts';
import { stepsPage } from './pages/stepsPage.ts';
import { transactionPage } from './pages/transactionPage.ts';
import { validatorsPage } from './pages/validatorsPage.ts';
import { assetRoutes } from './server/assets.ts';
import { pageHandlers } from './server/pageHandler.ts';
import type { Page } from './server/pageRequest.ts';

export interface ExplorerOptions {
  readonly names: ChainNames;
  /** Pages that are made at once; further requests are 503. */
  readonly maxPages: number;
  /** Windows that are updated with each block. */
  readonly maxStreams: number;
  /** Absolute paths of folders with build artefacts. */
  readonly artifacts: readonly string[];
}

export interface ExplorerDeps {
  readonly ask: AskRpc;
  readonly askLedger: AskLedger;
  readonly chain: Pick<Chain, 'onBlock' | 'onRewind'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Explorer {
  /** `GET /` answers browsers only, and all others with nothing, as a health check expects. */
  readonly routes: readonly HttpRoute[];
  close(): Promise<void>;
}

/** Who is asked for the fragment that all windows share. */
const LIVE_CLIENT = 'explorer';
const LIVE_TIMEOUT_MS = 5_000;

/** The explorer's routes for the JSON-RPC listener (spec R-28). */
export function openExplorer(options: ExplorerOptions, deps: ExplorerDeps): Explorer {
  const { names, maxPages, maxStreams, artifacts } = options;
  const { ask, askLedger, chain, clock } = deps;
  const abis = new AbiBook();
  const folders = new ArtifactFolders(artifacts, { abis, ...deps });
  const samples = new BlockSamples();
  const home = homePage(() => samples.samples);
  const hub = new LiveHub({ maxStreams, headers: pageHeaders({ forms: true, images: true }) }, async () => {
    const signal = AbortSignal.timeout(LIVE_TIMEOUT_MS);
    const rpc = new RpcReader(ask, { client: LIVE_CLIENT, signal });
    const ledger = new LedgerReader(askLedger, signal);
    const query = new URLSearchParams();
    const { body } = await home({ param: () => '', query, rpc, ledger, abis, now: clock.now() });
    return body.text;
  });
  const stopListening = [
    chain.onBlock((record) => {
      samples.add(record);
      hub.changed();
    }),
    chain.onRewind(() => () => {
      samples.clear();
      hub.changed();
    }),
  ];
  const handlerOf = pageHandlers({ maxPages }, { ...deps, abis, folders, names });
  const pages: Readonly<Record<string, Page>> = {
    '/block/:block': blockPage,
    '/tx/:hash': transactionPage,
    '/tx/:hash/calls': callsPage,
    '/tx/:hash/state': statePage,
    '/tx/:hash/steps': stepsPage,
    '/address/:address': addressPage,
    '/address/:address/contract': contractPage,
    '/address/:address/transactions': historyPage,
    '/mempool': mempoolPage,
    '/validators': validatorsPage,
    '/search': searchPage,
  };
  const get = (path: string, handler: HttpHandler): HttpRoute => ({ method: 'GET', path, handler });
  return {
    routes: [
      get('/', forBrowsers(handlerOf(home))),
      get('/explorer/live', (request) => hub.open(request)),
      ...Object.entries(pages).map(([path, page]) => get(path, handlerOf(page))),
      ...assetRoutes(),
      get('/*', forBrowsers(handlerOf(missingPage), { status: 404, body: '' })),
    ],
    close: async () => {
      for (const stop of stopListening) stop();
      hub.close();
    },
  };
}

const missingPage: Page = () => {
  throw pageFailure(404, 'There is no such page.');
};

/** What is no browser gets what this listener says without pages. */
function forBrowsers(handler: HttpHandler, other: HttpReply = { body: '' }): HttpHandler {
  return (request) => (request.headers.accept?.includes('text/html') ? handler(request) : other);
}
