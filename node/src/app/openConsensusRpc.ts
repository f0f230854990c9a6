import { join } from 'node:path';
import { type Clock, CodedError, type Logger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Access, HttpServer } from '@chain/platform/servers';
import type { Chain } from '../chain/index.ts';
import { EMPTY_COMMIT, type NodeInfo, sortValidators } from '../comet/index.ts';
import { openCometRpc } from '../cometRpc/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { Execution } from '../execution/index.ts';
import { readValidatorKey } from '../keys/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';
import type { Genesis } from './genesis.ts';
import type { Consensus } from './openConsensus.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';

interface ConsensusRpcParts extends Pick<State, 'history'> {
  readonly draining: AbortSignal;
  readonly access: Access;
  readonly nodeInfo: NodeInfo;
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly queries: QueryService;
  readonly consensus: Consensus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** The RPC of `[rpc]` in config.toml; `undefined` with an empty `laddr`. */
export async function openConsensusRpc(
  { config, genesis }: { readonly config: NodeConfig; readonly genesis: Genesis },
  { execution, consensus, access, ...parts }: ConsensusRpcParts,
): Promise<HttpServer | undefined> {
  const { home, comet } = config;
  const { rpc } = comet;
  if (rpc.laddr === '') return undefined;
  const { doc } = genesis;
  const validator = await readValidatorKey(join(home, CONFIG_FILES.validatorKey));
  const { chain } = parts;
  return openCometRpc(
    {
      ...listenerOf(rpc),
      corsOrigins: rpc.cors_allowed_origins,
      vhosts: config.app.evm.vhosts,
      access,
      // 0 is no limit.
      maxConnections: rpc.max_open_connections || Number.MAX_SAFE_INTEGER,
      maxBodyBytes: rpc.max_body_bytes,
      maxHeaderBytes: rpc.max_header_bytes,
      maxBatch: rpc.max_request_batch_size,
      subscriptions: {
        maxClients: rpc.max_subscription_clients,
        maxPerClient: rpc.max_subscriptions_per_client,
      },
      unsafe: rpc.unsafe,
      methods: {
        broadcastCommitTimeoutMs: rpc.timeout_broadcast_tx_commit,
        indexing: parts.nodeInfo.indexing,
      },
    },
    {
      ...parts,
      genesis: doc,
      application: { name: 'chaind', release: RELEASE },
      consensus: {
        publicKey: validator.publicKey,
        get lastCommit() {
          // With CometBFT the methods that tell it are CometBFT's.
          return consensus.embedded?.lastCommit ?? EMPTY_COMMIT;
        },
        validatorsAt: (height) => sortValidators(chain.validatorsAt(height)),
      },
      ...(consensus.comet && { upstream: consensus.comet.client }),
      checkTransaction: (raw) => execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
    },
  );
}

/** `tcp://host:port`, as CometBFT writes its addresses. */
function listenerOf({ laddr }: NodeConfig['comet']['rpc']): { address: string; port: number } {
  const match = /^(?:tcp:\/\/)?(?:\[([^\]]+)\]|([^:/[\]]*)):(\d{1,5})$/.exec(laddr);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new CodedError(
      'APP_RPC_ADDRESS',
      `config.toml: rpc.laddr = "${laddr}" is no address; write "tcp://127.0.0.1:26657", or "" to switch the consensus RPC off`,
      { fields: { laddr } },
    );
  }
  return { address: match[1] ?? (match[2] || '0.0.0.0'), port };
}
