import type { Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Access, HttpLimits } from '@chain/platform/servers';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { ProtoSchema } from '../proto/index.ts';

export interface RestOptions {
  readonly address: string;
  readonly port: number;
  /** See HttpServerOptions. */
  readonly corsOrigins: readonly string[];
  readonly vhosts: readonly string[];
  readonly access?: Access | undefined;
  /** Serve the OpenAPI document and its page under `/swagger/`. */
  readonly swagger: boolean;
  readonly release: string;
  /** Queries at once; more are refused with 429. */
  readonly maxCalls: number;
  readonly callTimeoutMs: number;
  readonly limits?: Partial<HttpLimits>;
}

export interface RestDeps {
  readonly queries: QueryService;
  readonly schema: ProtoSchema;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Clients are asked to go from then on. */
  readonly draining?: AbortSignal | undefined;
}
