import type { Clock, Logger } from '@chain/platform';
import { type HttpServer, openHttpServer } from '@chain/platform/servers';
import { type Review, reviewedRoutes } from './pageAccess.ts';
import { statusRoutes } from './statusRoutes.ts';
import type { StatusSource } from './statusSource.ts';

export interface StatusPageOptions {
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface StatusPageDeps {
  readonly source: StatusSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Says who may see the page; everyone who reaches it, when left out. */
  readonly review?: Review;
}

/** A reader's question is held this long when nothing changes: ages on the page are never older. */
const HOLD_MS = 5_000;

/** Serves the status page. Throws HTTP_CANNOT_LISTEN. Source: spec O-2, the status of the resources. */
export function openStatusPage(options: StatusPageOptions, deps: StatusPageDeps): Promise<HttpServer> {
  const { source, clock, logger, review } = deps;
  const routes = statusRoutes(source, { clock, holdMs: HOLD_MS });
  return openHttpServer(
    {
      ...options,
      routes: review ? reviewedRoutes(routes, { review, clock }) : routes,
      limits: { maxConnections: 256, maxBodyBytes: 1024, closeGraceMs: 500 },
    },
    { logger },
  );
}
