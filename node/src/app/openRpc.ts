import { arch, platform, versions } from 'node:process';
import type { Clock, HttpServer, Logger, MetricsRegistry } from '@chain/platform';
import type { Chain } from '../chain/index.ts';
import type { AppConfig } from '../config/index.ts';
import type { Execution } from '../execution/index.ts';
import type { Mempool } from '../mempool/index.ts';
import { openRpcServer } from '../rpc/index.ts';
import type { JobPool } from '../threads/index.ts';
import type { Genesis } from './genesis.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';

interface RpcParts extends State {
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly pool: JobPool;
}

const SLOW_CALL_MS = 1000;

/** JSON-RPC over HTTP, as `[evm]` of app.toml has it; `undefined` when it is switched off. */
export async function openRpc(
  { config: { evm }, genesis }: { readonly config: AppConfig; readonly genesis: Genesis },
  parts: RpcParts,
): Promise<HttpServer | undefined> {
  if (!evm.http_enabled) return undefined;
  const origins = evm.cors_origins.split(',').map((origin) => origin.trim());
  return openRpcServer(
    {
      address: evm.address,
      port: evm.http_port,
      corsOrigins: origins.filter((origin) => origin !== ''),
      legacyMethods: evm.enabled_legacy_chain_apis,
      filterTimeoutMs: evm.filter_timeout,
      http: {
        maxBodyBytes: evm.max_request_body_bytes,
        maxConcurrentBodyBytes: evm.max_concurrent_request_bytes,
        bodyIdleTimeoutMs: evm.body_read_idle_timeout,
        maxConnections: evm.max_open_connections,
        headersTimeoutMs: evm.read_header_timeout,
        requestTimeoutMs: evm.read_timeout,
        keepAliveTimeoutMs: evm.idle_timeout,
      },
      dispatch: {
        batchMax: evm.batch_request_limit,
        batchResponseBytesMax: evm.batch_response_max_size,
        callTimeoutMs: evm.write_timeout,
        slowCallMs: SLOW_CALL_MS,
        denied: evm.deny_list,
      },
      methods: {
        logsMax: evm.max_log_no_block,
        logBlocksMax: evm.max_blocks_for_log,
        simulationTimeoutMs: evm.simulation_evm_timeout,
        overrideAccountsMax: evm.max_state_override_accounts,
        overrideSlotsMax: evm.max_state_override_slots,
        poolTransactionsMax: evm.max_tx_pool_txs,
        estimateCallsMax: evm.max_estimate_gas_calls,
      },
    },
    {
      ...parts,
      evmChainId: genesis.state.evmChainId,
      genesisHash: genesis.hash,
      clientVersion: `chaind/${RELEASE}/${platform}-${arch}/node${versions.node}`,
    },
  );
}
