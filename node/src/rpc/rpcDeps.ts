import type { Clock, Logger, Turns } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { HttpRoute } from '@chain/platform/servers';
import type { Chain } from '../chain/index.ts';
import type { Execution, GenesisState } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { Mempool } from '../mempool/index.ts';
import type { StateCommit } from '../state/commit/index.ts';
import type { StateStore } from '../state/store/index.ts';
import type { JobPool } from '../threads/index.ts';
import type { NetworkStanding, StoreChanges } from '../types/index.ts';
import type { BlockJson } from './blocks/blockJson.ts';
import type { DevelopmentControls } from './development/controls.ts';
import type { Development } from './development/development.ts';
import type { AskRpc } from './dispatch/askedCall.ts';
import type { FilterTable, LogNamespace } from './filters/filterTable.ts';
import type { LogsCache } from './filters/logsCache.ts';
import type { RecentTransactions } from './filters/recentTransactions.ts';
import type { LogsWriter } from './format/logsWriter.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { LedgerSource } from './legacy/ledgerSource.ts';
import type { NetworkWatch } from './network/networkWatch.ts';
import type { PendingBlocks } from './pending/pendingBlocks.ts';
import type { CallCache } from './simulation/callCache.ts';
import type { TraceRunner } from './tracing/traceRunner.ts';
import type { TracingLimits } from './tracing/tracingLimits.ts';

/** What methods ask of the chain. */
export type RpcChain = Pick<
  Chain,
  | 'height'
  | 'appHash'
  | 'lastRecord'
  | 'contextAt'
  | 'callContextAt'
  | 'pendingContext'
  | 'blockHash'
  | 'stateAt'
  | 'newestState'
  | 'onBlock'
  | 'onRewind'
>;

/** Limits of methods; sizes of requests and batches are the dispatcher's. */
export interface MethodLimits {
  /** Logs in one answer to an open-ended range. */
  readonly maxLogs: number;
  /** Bytes of one answer's logs as JSON. */
  readonly maxLogBytes: number;
  /** Addresses of a log query, and topics of one of its positions. */
  readonly maxLogItems: number;
  /** Span of a closed range of logs, and most blocks of a fee history. */
  readonly maxLogBlocks: number;
  readonly simulation: boolean;
  /** Wall time of one simulation. */
  readonly simulationTimeoutMs: number;
  readonly maxOverrideAccounts: number;
  readonly maxOverrideSlots: number;
  /** Transactions that txpool_content lists. */
  readonly maxPoolTransactions: number;
  /** Calls that one eth_estimateGasAfterCalls may name. */
  readonly maxEstimateCalls: number;
  /** eth_sendRawTransaction answers once the transaction is in a block. */
  readonly waitForBlock: boolean;
  readonly tracing: TracingLimits;
}

/** What the methods share: capabilities of other rooms, the filters, ready-made block JSON. */
export interface RpcDeps {
  readonly chain: RpcChain;
  readonly history: History;
  /** First version that SS has, against which state methods check, and its ranges. */
  readonly stateStore: Pick<
    StateStore,
    'earliestVersion' | 'iterate' | 'durableVersion' | 'rewinds' | 'reached'
  >;
  /** Proofs against the app hash, of the newest versions. */
  readonly stateCommit: Pick<StateCommit, 'earliestProvableVersion' | 'queryWithProof'>;
  /** What may take long: executions run through here, off the main thread. */
  readonly jobs: Jobs;
  readonly traces: TraceRunner;
  /** Of the legacy namespace, which counts its traces for itself. */
  readonly legacyTraces: TraceRunner;
  /** What `pending` names. */
  readonly pending: PendingBlocks;
  readonly mempool: Pick<
    Mempool,
    | 'add'
    | 'get'
    | 'pendingNonce'
    | 'counts'
    | 'content'
    | 'contentOf'
    | 'reap'
    | 'revision'
    | 'onTransaction'
  >;
  readonly network: NetworkWatch;
  readonly evmChainId: bigint;
  /** Height of the chain's first block. */
  readonly initialHeight: number;
  /** What genesis writes before the first block's transactions; made once, when it is asked for. */
  readonly genesisChanges: () => readonly StoreChanges[];
  /** SHA-256 of the genesis file: the hash of block 0. */
  readonly genesisHash: Uint8Array;
  readonly clientVersion: string;
  readonly limits: MethodLimits;
  readonly filters: FilterTable;
  readonly recentTransactions: RecentTransactions;
  /** Whose filters and logs the methods serve; the legacy ones set their own. */
  readonly logNamespace: LogNamespace;
  /** Entries of blocks that are no EVM transactions. */
  readonly ledgerSource: LedgerSource;
  readonly blockJson: BlockJson;
  readonly callCache: CallCache;
  readonly logsWriter: LogsWriter;
  readonly logsCache: LogsCache;
  /** What takes long on the main thread goes on in turns. */
  readonly turns: Turns;
  /** Whether this node answers a method: the legacy gate lets it through, and it is not denied. */
  readonly offers: (method: string) => boolean;
  /** Only in a development home. */
  readonly development?: Development | undefined;
}

type MadeHere =
  | 'filters'
  | 'recentTransactions'
  | 'logNamespace'
  | 'ledgerSource'
  | 'blockJson'
  | 'callCache'
  | 'logsWriter'
  | 'logsCache'
  | 'turns'
  | 'offers'
  | 'limits'
  | 'jobs'
  | 'traces'
  | 'legacyTraces'
  | 'pending'
  | 'network'
  | 'development'
  | 'genesisChanges';

export interface RpcRoomDeps extends Omit<RpcDeps, MadeHere> {
  /** Clients are asked to go from then on. */
  readonly draining?: AbortSignal | undefined;
  /** Without it blocks hold EVM transactions only. */
  readonly ledgerSource?: LedgerSource;
  /** How the node stands to the others of its network. Rejects while consensus does not answer. */
  readonly network: () => Promise<NetworkStanding>;
  /** In a development home. */
  readonly controls?: DevelopmentControls | undefined;
  readonly execution: Execution;
  readonly genesisState: GenesisState;
  /** Worker threads; without them every execution runs on the main thread. */
  readonly pool?: Pick<JobPool, 'run'> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Pages for people beside JSON-RPC over HTTP; they ask as a client would. */
  readonly openPages?: ((ask: AskRpc) => RpcPages) | undefined;
}

/** Routes of the HTTP listener that JSON-RPC leaves free; one of them is `GET /`. */
export interface RpcPages {
  readonly routes: readonly HttpRoute[];
  close(): Promise<void>;
}
