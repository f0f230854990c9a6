import type { Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Access } from '@chain/platform/servers';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { ProtoSchema } from '../proto/index.ts';

export interface GrpcOptions {
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** TLS, and what is asked of a call's `authorization`; health checks need none. */
  readonly access?: Access | undefined;
  readonly limits: GrpcLimits;
}

/** Times in ms, sizes in bytes. */
export interface GrpcLimits {
  readonly receiveBytes: number;
  readonly sendBytes: number;
  /** Memory of all messages that are not whole yet; 128 MiB by default. */
  readonly partialBytes?: number;
  readonly connections: number;
  /** Calls of one connection at once. */
  readonly streams: number;
  /** Calls of all connections at once. */
  readonly calls: number;
  readonly callTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export interface GrpcDeps {
  readonly queries: QueryService;
  readonly schema: ProtoSchema;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}
