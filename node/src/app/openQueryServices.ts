import { join } from 'node:path';
import type { HttpServer, Lifecycle, Logger, MetricsRegistry } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { Chain } from '../chain/index.ts';
import type { AppConfig, NodeConfig } from '../config/index.ts';
import { type GrpcServer, openGrpcServer } from '../grpc/index.ts';
import { readNodeKey } from '../keys/index.ts';
import { type LedgerQueryOptions, openQueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';
import { openProtoSchema } from '../proto/index.ts';
import { openRestServer } from '../rest/index.ts';
import type { Genesis } from './genesis.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';

interface ServiceParts extends Pick<State, 'history' | 'stateStore'> {
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly genesis: Genesis;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

interface QueryServers {
  /** `undefined` when switched off. */
  readonly grpc: GrpcServer | undefined;
  readonly rest: HttpServer | undefined;
}

/** gRPC and REST as `[grpc]` and `[api]` of app.toml have them, over the same answers. */
export async function openQueryServices(
  config: NodeConfig,
  parts: ServiceParts,
  lifecycle: Lifecycle,
): Promise<QueryServers> {
  const { app } = config;
  if (!app.grpc.enable && !app.api.enable) return { grpc: undefined, rest: undefined };
  const { chain, history, stateStore, mempool, genesis, logger, metrics } = parts;
  const queries = openQueryService(await optionsOf(config, genesis), {
    chain,
    history,
    stateStore,
    validatorsAt: () => genesis.doc.validators,
    broadcast: (raw) => mempool.add(raw),
    logger: logger.child({ room: 'ledgerQuery' }),
  });
  const schema = openProtoSchema();
  const deps = (room: string) => ({ queries, schema, logger: logger.child({ room }), metrics });
  const grpc = app.grpc.enable
    ? lifecycle.own(await openGrpcServer(grpcOptions(app.grpc), deps('grpc')))
    : undefined;
  const rest = app.api.enable
    ? lifecycle.own(await openRestServer(restOptions(app.api), deps('rest')))
    : undefined;
  return { grpc, rest };
}

async function optionsOf({ home, app, comet }: NodeConfig, genesis: Genesis): Promise<LedgerQueryOptions> {
  const nodeKey = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  return {
    genesis: genesis.doc,
    evmChainId: genesis.state.evmChainId,
    moniker: comet.base.moniker,
    release: RELEASE,
    keepRecentBlocks: app.base['min-retain-blocks'],
    nodeId: nodeKey.id,
  };
}

function grpcOptions(grpc: AppConfig['grpc']): Parameters<typeof openGrpcServer>[0] {
  return {
    ...listenerOf(grpc.address),
    limits: {
      receiveBytes: grpc['max-recv-msg-size'],
      sendBytes: grpc['max-send-msg-size'],
      connections: grpc['max-open-connections'],
      streams: grpc['max-concurrent-streams'],
      calls: grpc['max-concurrent-calls'],
      callTimeoutMs: grpc['call-timeout'],
      idleTimeoutMs: grpc['idle-timeout'],
    },
  };
}

function restOptions(api: AppConfig['api']): Parameters<typeof openRestServer>[0] {
  const readTimeoutMs = api['rpc-read-timeout'] * 1000;
  return {
    ...listenerOf(api.address),
    corsOrigins: api['cors-origins'].split(',').flatMap((origin) => origin.trim() || []),
    swagger: api.swagger,
    release: RELEASE,
    callsMax: api['max-concurrent-calls'],
    callTimeoutMs: api['rpc-write-timeout'] * 1000,
    limits: {
      maxConnections: api['max-open-connections'],
      maxBodyBytes: api['rpc-max-body-bytes'],
      requestTimeoutMs: readTimeoutMs,
      headersTimeoutMs: readTimeoutMs,
    },
  };
}

/** `tcp://[::1]:1317` and the like, which the settings have checked. */
function listenerOf(text: string): { readonly address: string; readonly port: number } {
  const [, address = '', port = ''] = /^(?:tcp:\/\/)?\[?(.+?)\]?:(\d+)$/.exec(text) ?? [];
  return { address, port: Number(port) };
}
