import { arch, platform, versions } from 'node:process';
import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Access } from '@chain/platform/servers';
import type { Chain } from '../chain/index.ts';
import type { AppConfig } from '../config/index.ts';
import type { Execution } from '../execution/index.ts';
import type { Mempool } from '../mempool/index.ts';
import {
  type AskRpc,
  type DevelopmentControls,
  openRpcServer,
  type RpcPages,
  type RpcServer,
  type RpcServerOptions,
} from '../rpc/index.ts';
import type { JobPool } from '../threads/index.ts';
import type { NetworkStanding } from '../types/index.ts';
import type { Genesis } from './genesis.ts';
import { openLedgerSource } from './ledgerSource.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';

interface RpcParts extends State {
  readonly draining: AbortSignal;
  readonly access: Access;
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly pool: JobPool;
  readonly network: () => Promise<NetworkStanding>;
  /** In a development home. */
  readonly controls: DevelopmentControls | undefined;
  readonly openPages: ((ask: AskRpc) => RpcPages) | undefined;
}

type EvmConfig = AppConfig['evm'];

const SLOW_CALL_MS = 1000;

/** JSON-RPC as `[evm]` of app.toml has it; `undefined` when both transports are switched off. */
export async function openRpc(
  { config, genesis }: { readonly config: AppConfig; readonly genesis: Genesis },
  { access, ...parts }: RpcParts,
): Promise<RpcServer | undefined> {
  const { evm } = config;
  if (!evm.http_enabled && !evm.ws_enabled) return undefined;
  return openRpcServer(
    {
      address: evm.address,
      access,
      ...(evm.http_enabled && { http: httpOptions(evm) }),
      ...(evm.ws_enabled && { webSocket: webSocketOptions(evm) }),
      legacyMethods: evm.enabled_legacy_chain_apis,
      filters: { timeoutMs: evm.filter_timeout },
      clients: {
        filters: { maxPerClient: evm.max_filters_per_client, max: evm.max_filters },
        subscriptions: { maxPerClient: evm.max_subscriptions_per_client, max: evm.max_subscriptions },
        bytes: { maxPerClient: evm.max_client_bytes, max: evm.max_clients_bytes },
      },
      subscriptions: {
        newHeads: evm.max_subscriptions_new_head,
        logs: evm.max_subscriptions_logs,
        newPendingTransactions: evm.max_subscriptions_pending_transactions,
        syncing: evm.max_subscriptions_new_head,
      },
      dispatch: {
        maxBatch: evm.batch_request_limit,
        maxBatchResponseBytes: evm.batch_response_max_size,
        callTimeoutMs: evm.write_timeout,
        slowCallMs: SLOW_CALL_MS,
        denied: evm.deny_list,
      },
      clientRates: evm.rate_limiting_enabled
        ? { perSecond: evm.ip_rate_limit_rps, burst: evm.ip_rate_limit_burst }
        : undefined,
      methods: {
        maxLogs: evm.max_log_no_block,
        maxLogBytes: evm.max_log_bytes,
        maxLogItems: evm.log_query_limit,
        maxLogBlocks: evm.max_blocks_for_log,
        simulation: evm.enable_simulation,
        simulationTimeoutMs: evm.simulation_evm_timeout,
        maxOverrideAccounts: evm.max_state_override_accounts,
        maxOverrideSlots: evm.max_state_override_slots,
        tracing: {
          maxConcurrent: evm.max_concurrent_trace_calls,
          lookbackBlocks: evm.max_trace_lookback_blocks,
          callTimeoutMs: evm.trace_timeout,
          maxResultBytes: evm.max_trace_struct_log_bytes,
          javaScript: evm.trace_allow_js_tracers,
          hexWords: evm.trace_hex,
          allowedTracers: evm.trace_allowed_tracers,
        },
        maxPoolTransactions: evm.max_tx_pool_txs,
        maxEstimateCalls: evm.max_estimate_gas_calls,
        waitForBlock: evm.slow,
      },
    },
    {
      ...parts,
      ledgerSource: openLedgerSource(parts.chain),
      evmChainId: genesis.state.evmChainId,
      genesisState: genesis.state,
      initialHeight: genesis.doc.initialHeight,
      genesisHash: genesis.hash,
      clientVersion: clientVersionOf(config),
    },
  );
}

/** Development tools look for a program that they know; all others are told which one this is. */
function clientVersionOf({ node, dev }: AppConfig): string {
  const place = `${platform}-${arch}/node${versions.node}`;
  if (!node.development) return `chaind/${RELEASE}/${place}`;
  return dev.client_version || `anvil/v1.7.1-chaind-${RELEASE}/${place}`;
}

function httpOptions(evm: EvmConfig): NonNullable<RpcServerOptions['http']> {
  return {
    port: evm.http_port,
    corsOrigins: listOf(evm.cors_origins),
    vhosts: evm.vhosts,
    apis: evm.apis,
    limits: {
      maxBodyBytes: evm.max_request_body_bytes,
      maxConcurrentBodyBytes: evm.max_concurrent_request_bytes,
      bodyIdleTimeoutMs: evm.body_read_idle_timeout,
      maxConnections: evm.max_open_connections,
      headersTimeoutMs: evm.read_header_timeout,
      requestTimeoutMs: evm.read_timeout,
      keepAliveTimeoutMs: evm.idle_timeout,
      replyStallTimeoutMs: evm.write_timeout,
    },
  };
}

function webSocketOptions(evm: EvmConfig): NonNullable<RpcServerOptions['webSocket']> {
  return {
    port: evm.ws_port,
    origins: listOf(evm.ws_origins),
    vhosts: evm.vhosts,
    apis: evm.ws_apis,
    limits: {
      maxMessageBytes: evm.max_request_body_bytes,
      maxConnections: evm.max_open_connections,
      maxConcurrentMessages: evm.ws_max_concurrent_requests,
      maxBufferedAnswerBytes: evm.ws_max_buffered_bytes,
      maxBufferedPushBytes: evm.ws_max_buffered_bytes,
      pingIntervalMs: evm.ws_ping_interval,
      pongTimeoutMs: evm.ws_pong_timeout,
      idleTimeoutMs: evm.ws_idle_timeout,
    },
    maxSubscriptions: evm.ws_max_subscriptions,
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
