import type { Logger } from '../logger.ts';
import type { MetricsRegistry } from '../metrics/index.ts';
import type { Access } from './access/openAccess.ts';
import type { HttpReply } from './httpExchange.ts';
import { type HttpRoute, type HttpServer, openHttpServer } from './httpServer.ts';

/** `ok` decides the status code; the rest explains it to a person. */
export interface HealthReport {
  readonly ok: boolean;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

export interface Health {
  /** The process works; false asks for a restart. */
  live(): HealthReport;
  /** The program may get traffic. */
  ready(): HealthReport;
  /** Opening and recovery are over. */
  started(): HealthReport;
}

export interface AdminServerOptions {
  readonly address: string;
  readonly port: number;
  /** Probes are answered without a token. */
  readonly access?: Access | undefined;
  /** What a program adds. */
  readonly routes?: readonly HttpRoute[];
}

export interface AdminServerDeps {
  readonly metrics: MetricsRegistry;
  readonly health: Health;
  readonly logger: Logger;
}

const PROBES: readonly string[] = ['/livez', '/readyz', '/startupz'];

/**
 * Serves `/metrics` (Prometheus text), `/livez`, `/readyz` and `/startupz` (200 or 503, JSON
 * `{"status":"ok"|"unavailable","reason"?,"details"?}`). Open it first, so that a slow start can be watched.
 */
export function openAdminServer(options: AdminServerOptions, deps: AdminServerDeps): Promise<HttpServer> {
  const { metrics, health, logger } = deps;
  const get = (path: string, handler: () => HttpReply | Promise<HttpReply>) => ({
    method: 'GET' as const,
    path,
    handler,
  });
  return openHttpServer(
    {
      ...options,
      routes: [
        get('/metrics', async () => ({
          headers: { 'content-type': metrics.contentType },
          body: await metrics.text(),
        })),
        get('/livez', () => toReply(health.live())),
        get('/readyz', () => toReply(health.ready())),
        get('/startupz', () => toReply(health.started())),
        ...(options.routes ?? []),
      ],
      openPaths: PROBES,
      limits: { maxConnections: 64, maxBodyBytes: 1024, closeGraceMs: 1000 },
    },
    { logger, metrics },
  );
}

function toReply({ ok, reason, details }: HealthReport): HttpReply {
  return {
    status: ok ? 200 : 503,
    body: JSON.stringify({ status: ok ? 'ok' : 'unavailable', reason, details }),
  };
}
