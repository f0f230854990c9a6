import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import { type Chain, openChain } from '../chain/index.ts';
import { createEvmEngine, type EvmEngineKind, type EvmTransaction } from '../evm/index.ts';
import { createExecution, createGenesisState, parseGenesis, readNextBaseFee } from '../execution/index.ts';
import { openHistory } from '../history/index.ts';
import { createMempool, senderReads } from '../mempool/index.ts';
import { publicKeyOf } from '../primitives/index.ts';
import { openChangelog } from '../state/changelog/index.ts';
import { openStateCommit } from '../state/commit/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import { openStateStore } from '../state/store/index.ts';
import { NATIVE_TRACERS } from '../tracing/index.ts';
import type { BlockRecord, NetworkStanding } from '../types/index.ts';
import type { AskRpc } from './dispatch/askedCall.ts';
import type { DispatchLimits } from './dispatch/dispatcher.ts';
import type { LedgerSource } from './legacy/ledgerSource.ts';
import { makeBlock } from './makeBlock.fixture.ts';
import { NAMESPACES } from './namespaces.ts';
import { openRpcServer } from './openRpcServer.ts';
import type { MethodLimits, RpcPages } from './rpcDeps.ts';
import type { SubscriptionLimits } from './subscriptions/subscriptionHub.ts';
import { ACCOUNTS, CHAIN_ADDRESSES, EVM_CHAIN_ID, KEYS } from './testTransactions.fixture.ts';
import type { WebSocketTransportOptions } from './transport/webSocketTransport.ts';

export const GENESIS_HASH = new Uint8Array(32).fill(0x6e);

export interface FixtureOptions {
  readonly initialHeight?: number;
  /** Whether the EVM store has a database of its own. */
  readonly split?: boolean;
  readonly engine?: EvmEngineKind;
  readonly corsOrigins?: readonly string[];
  /** Namespaces over HTTP. */
  readonly apis?: readonly string[];
  readonly legacyMethods?: readonly string[];
  readonly traceHex?: 'prefixed' | 'bare';
  readonly maxBodyBytes?: number;
  readonly filterTimeoutMs?: number;
  readonly clientRates?: { readonly perSecond: number; readonly burst: number };
  readonly clients?: Partial<Parameters<typeof openRpcServer>[0]['clients']>;
  readonly ledgerSource?: LedgerSource;
  readonly network?: () => Promise<NetworkStanding>;
  /** What genesis holds beside the accounts, and coins of each of them. */
  readonly genesis?: Omit<Parameters<typeof createGenesisState>[0], 'evmChainId' | 'accounts'> & {
    readonly coins?: readonly { readonly denom: string; readonly amount: string }[];
    readonly forks?: Readonly<Record<string, string>>;
  };
  /** Changes what history keeps of a block: the entries that a ledger would add. */
  readonly recorded?: (record: BlockRecord) => BlockRecord;
  readonly webSocket?: Partial<WebSocketTransportOptions>;
  readonly subscriptions?: Partial<SubscriptionLimits>;
  readonly dispatch?: Partial<DispatchLimits>;
  readonly methods?: Partial<MethodLimits>;
  /** Pages beside JSON-RPC, over the fixture's chain. */
  readonly pages?: (ask: AskRpc, chain: Chain) => RpcPages;
}

/** A JSON-RPC answer as it came. */
export interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RpcFixture {
  readonly url: string;
  readonly wsUrl: string;
  readonly chain: Chain;
  readonly metrics: MetricsRegistry;
  /** The node's wall clock, in milliseconds. */
  readonly clock: { ms: number };
  /** Makes the next block; bytes are ledger transactions. */
  block(...transactions: readonly (EvmTransaction | Uint8Array)[]): Promise<BlockRecord>;
  /** POSTs a body as it is. */
  post(body: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  call(method: string, ...params: readonly unknown[]): Promise<Answer>;
  /** The result of a call that must not fail. */
  result(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Drops what is below these heights. */
  prune(floors: {
    readonly state?: number;
    readonly blocks?: number;
    readonly receipts?: number;
  }): Promise<void>;
  close(): Promise<void>;
}

/** JSON-RPC on a port of its own, over a real chain in a temporary directory. */
export async function openRpcFixture(options: FixtureOptions = {}): Promise<RpcFixture> {
  const home = mkdtempSync(join(tmpdir(), 'rpc-'));
  const opened = new Lifecycle();
  opened.own({ close: async () => rmSync(home, { recursive: true, force: true }) });
  const clock = { ms: 1_800_000_000_000 };
  const parts = await openParts(home, options, { opened, clock });
  const metrics = createMetricsRegistry();
  const server = opened.own(
    await openRpcServer(serverOptions(options), {
      ...parts,
      clock: { now: () => clock.ms },
      logger: silentLogger,
      metrics,
      evmChainId: EVM_CHAIN_ID,
      genesisState: genesisState(options.genesis),
      initialHeight: options.initialHeight ?? 1,
      genesisHash: GENESIS_HASH,
      clientVersion: 'chaind/test',
      network: options.network ?? (async () => ({ catchingUp: false, peers: 0 })),
      ...(options.pages && { openPages: (ask) => options.pages!(ask, parts.chain) }),
      ...(options.ledgerSource && { ledgerSource: options.ledgerSource }),
    }),
  );
  const url = `http://127.0.0.1:${server.http!.port}`;
  const post: RpcFixture['post'] = (body, headers = {}) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const call: RpcFixture['call'] = async (method, ...params) => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return (await answer.json()) as Answer;
  };
  return {
    url,
    wsUrl: `ws://127.0.0.1:${server.webSocket!.port}`,
    chain: parts.chain,
    metrics,
    clock,
    block: (...transactions) => makeBlock(parts.chain, transactions),
    post,
    call,
    result: async (method, ...params) => {
      const { result, error } = await call(method, ...params);
      return error ?? result;
    },
    prune: async ({ state, blocks, receipts }) => {
      await parts.stateStore.flushed();
      if (state !== undefined) await parts.stateStore.prune(state);
      if (blocks !== undefined) await parts.history.pruneBelow(blocks);
      if (receipts !== undefined) await parts.history.pruneReceiptsBelow(receipts);
    },
    close: () => opened.close(),
  };
}

async function openParts(
  home: string,
  { initialHeight = 1, split = true, recorded, genesis, engine: engineKind = 'wasm' }: FixtureOptions,
  { opened, clock: time }: { readonly opened: Lifecycle; readonly clock: { ms: number } },
) {
  const logger = silentLogger;
  const changelog = opened.own(
    await openChangelog({ directory: join(home, DATA_DIRS.changelog) }, { logger }),
  );
  const stateCommit = opened.own(
    await openStateCommit(
      {
        directory: join(home, DATA_DIRS.memiavl),
        stores: STORE_NAMES,
        initialVersion: initialHeight,
        snapshotInterval: 1000,
        snapshotKeepRecent: 0,
        provableVersions: 2,
      },
      { changelog, logger },
    ),
  );
  const kind = { home, backend: 'pebbledb', split, separateDbs: false } as const;
  const versions = { asyncWriteBuffer: 10, committedVersion: 0, initialVersion: initialHeight };
  const stateStore = opened.own(await openStateStore({ ...kind, ...versions }, { changelog, logger }));
  const history = opened.own(
    await openHistory({ directory: join(home, DATA_DIRS.history), initialHeight }, { changelog, logger }),
  );
  if (recorded) {
    const append = history.append.bind(history);
    history.append = (record) => append(recorded(record));
  }
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID, kind: engineKind });
  const execution = createExecution({}, { engine, logger });
  const clock = { now: () => time.ms };
  const chain = opened.own(
    await openChain(
      {
        chainId: 'test-1',
        evmChainId: EVM_CHAIN_ID,
        genesis: { initialHeight, gasLimit: 10_000_000n, state: genesisState(genesis) },
      },
      { execution, changelog, stateCommit, stateStore, history, clock, logger },
    ),
  );
  const mempool = createMempool(
    {},
    {
      checkTransaction: (raw) => execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
      forgetTransaction: (hash) => execution.forgetTransaction(hash),
      ...senderReads(() => chain.newestState),
      baseFee: () => readNextBaseFee(chain.newestState),
      clock,
      logger,
    },
  );
  chain.onBlock((record, stores) => mempool.onCommit(record, stores));
  return { chain, history, stateStore, stateCommit, execution, mempool };
}

function genesisState({ coins, forks, ...genesis }: FixtureOptions['genesis'] = {}) {
  const accounts = KEYS.map((key, i) => ({
    evmAddress: ACCOUNTS[i]!,
    chainAddress: CHAIN_ADDRESSES[i]!,
    publicKey: publicKeyOf(key, true)!,
    balanceWei: 10n ** 21n,
    ...(coins && { coins }),
  }));
  const state = createGenesisState({ ...genesis, evmChainId: EVM_CHAIN_ID, accounts });
  return parseGenesis({ ...state, evm: { ...state.evm, ...(forks && { forks }) } });
}

function serverOptions(options: FixtureOptions): Parameters<typeof openRpcServer>[0] {
  return {
    address: '127.0.0.1',
    http: {
      port: 0,
      corsOrigins: options.corsOrigins ?? ['*'],
      vhosts: ['localhost'],
      apis: options.apis ?? NAMESPACES,
      limits: { maxBodyBytes: options.maxBodyBytes ?? 100_000 },
    },
    webSocket: {
      port: 0,
      origins: ['*'],
      vhosts: ['localhost'],
      apis: NAMESPACES,
      limits: {},
      maxSubscriptions: 1000,
      ...options.webSocket,
    },
    subscriptions: {
      newHeads: 100,
      logs: 100,
      newPendingTransactions: 100,
      syncing: 100,
      ...options.subscriptions,
    },
    legacyMethods: options.legacyMethods ?? [
      'chain_getChainAddress',
      'chain_getEVMAddress',
      'chain_getLedgerTx',
    ],
    clientRates: options.clientRates,
    filters: {
      timeoutMs: options.filterTimeoutMs ?? 300_000,
    },
    clients: {
      filters: { maxPerClient: 1000, max: 10_000 },
      subscriptions: { maxPerClient: 1000, max: 20_000 },
      bytes: { maxPerClient: 4 << 20, max: 64 << 20 },
      ...options.clients,
    },
    dispatch: {
      maxBatch: 1000,
      maxBatchResponseBytes: 25_000_000,
      callTimeoutMs: 30_000,
      slowCallMs: 10_000,
      denied: [],
      ...options.dispatch,
    },
    methods: {
      maxLogs: 10_000,
      maxLogBytes: 64 << 20,
      maxLogItems: 1000,
      maxLogBlocks: 2000,
      simulation: true,
      simulationTimeoutMs: 60_000,
      maxOverrideAccounts: 100,
      maxOverrideSlots: 1000,
      tracing: {
        maxConcurrent: 10,
        lookbackBlocks: 10_000,
        callTimeoutMs: 30_000,
        maxResultBytes: 32 << 20,
        javaScript: true,
        hexWords: options.traceHex ?? 'prefixed',
        allowedTracers: NATIVE_TRACERS,
      },
      maxPoolTransactions: 1000,
      maxEstimateCalls: 100,
      waitForBlock: false,
      ...options.methods,
    },
  };
}
