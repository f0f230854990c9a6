import { Turns } from '@chain/platform';
import type { Execution, GenesisState } from '../execution/index.ts';
import { EMPTY_STATE, Overlay } from '../state/view/index.ts';
import type { StoreChanges } from '../types/index.ts';
import { BlockJson } from './blocks/blockJson.ts';
import type { ClientState } from './clients/clientState.ts';
import { Development } from './development/development.ts';
import { FilterTable, type FilterTableOptions } from './filters/filterTable.ts';
import { LogsCache } from './filters/logsCache.ts';
import { RecentTransactions } from './filters/recentTransactions.ts';
import { LogsWriter } from './format/logsWriter.ts';
import type { Jobs } from './jobs/jobs.ts';
import { NO_LEDGER_ENTRIES } from './legacy/ledgerSource.ts';
import { NetworkWatch } from './network/networkWatch.ts';
import { PendingBlocks } from './pending/pendingBlocks.ts';
import type { MethodLimits, RpcDeps, RpcRoomDeps } from './rpcDeps.ts';
import { CallCache } from './simulation/callCache.ts';
import { TraceRunner } from './tracing/traceRunner.ts';

const MAX_CALL_CACHE_BYTES = 8 << 20;
/** An answer as large as the largest there is. */
const MAX_LOGS_CACHE_BYTES = 64 << 20;
const MAX_BLOCK_JSON_BYTES = 32 << 20;

function genesisChanges(execution: Execution, state: GenesisState): readonly StoreChanges[] {
  const overlay = new Overlay(EMPTY_STATE);
  execution.initGenesis(state, overlay);
  return overlay.changes();
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export interface MethodOptions {
  readonly methods: MethodLimits;
  readonly filters: FilterTableOptions;
}

interface ServerParts extends Pick<RpcDeps, 'offers'> {
  readonly clients: ClientState;
  readonly jobs: Jobs;
}

/** What methods use: what the room was given, and what it makes of that once. */
export function methodDeps(
  options: MethodOptions,
  { clock, execution, controls, genesisState, network, ledgerSource, ...rest }: RpcRoomDeps,
  { offers, clients, jobs }: ServerParts,
): RpcDeps {
  const { chain, mempool, history } = rest;
  return {
    ...rest,
    limits: options.methods,
    jobs,
    traces: new TraceRunner(options.methods.tracing, { chain, jobs }),
    legacyTraces: new TraceRunner(options.methods.tracing, { chain, jobs }),
    pending: new PendingBlocks({ timeoutMs: options.methods.simulationTimeoutMs }, { chain, mempool, jobs }),
    network: new NetworkWatch({ chain, history, clock, network }),
    recentTransactions: new RecentTransactions({ mempool }),
    filters: new FilterTable(options.filters, { clock, clients }),
    logNamespace: 'eth',
    genesisChanges: once(() => genesisChanges(execution, genesisState)),
    ledgerSource: ledgerSource ?? NO_LEDGER_ENTRIES,
    blockJson: new BlockJson({ maxBytes: MAX_BLOCK_JSON_BYTES }),
    logsWriter: new LogsWriter(),
    turns: new Turns(),
    logsCache: new LogsCache({ maxBytes: MAX_LOGS_CACHE_BYTES }),
    callCache: new CallCache({ maxBytes: MAX_CALL_CACHE_BYTES }),
    offers,
    development: controls && new Development(controls),
  };
}
