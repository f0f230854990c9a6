import type { Lifecycle, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { HttpServer } from '@chain/platform/servers';
import type { AppConfig, NodeConfig } from '../config/index.ts';
import { type GrpcServer, openGrpcServer } from '../grpc/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import { openProtoSchema } from '../proto/index.ts';
import { openRestServer } from '../rest/index.ts';
import type { ListenerAccess } from './listenerAccess.ts';
import { RELEASE } from './release.ts';

interface ServiceParts {
  readonly draining: AbortSignal;
  readonly access: ListenerAccess;
  readonly queries: QueryService;
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
  const { access, queries, logger, metrics } = parts;
  const schema = openProtoSchema();
  const deps = (room: string) => ({ queries, schema, logger: logger.child({ room }), metrics });
  const grpc = app.grpc.enable
    ? lifecycle.own(await openGrpcServer({ ...grpcOptions(app.grpc), access: access.grpc }, deps('grpc')))
    : undefined;
  const rest = app.api.enable
    ? lifecycle.own(
        await openRestServer(
          { ...restOptions(app), access: access.api },
          { ...deps('rest'), draining: parts.draining },
        ),
      )
    : undefined;
  return { grpc, rest };
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

function restOptions({ api, evm }: AppConfig): Parameters<typeof openRestServer>[0] {
  const readTimeoutMs = api['rpc-read-timeout'] * 1000;
  return {
    ...listenerOf(api.address),
    corsOrigins: api['cors-origins'].split(',').flatMap((origin) => origin.trim() || []),
    vhosts: evm.vhosts,
    swagger: api.swagger,
    release: RELEASE,
    maxCalls: api['max-concurrent-calls'],
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
