import { type HttpHandler, type HttpRoute, type HttpServer, openHttpServer } from '@chain/platform/servers';
import { gatewayError } from './gatewayError.ts';
import { documentRoutes } from './openApi/documentRoutes.ts';
import { directGets, queryRoutes } from './queryRoutes.ts';
import type { RestDeps, RestOptions } from './restOptions.ts';

/** Opens and listens. Throws HTTP_CANNOT_LISTEN. */
export function openRestServer(options: RestOptions, deps: RestDeps): Promise<HttpServer> {
  const { address, port, corsOrigins, vhosts, access, limits } = options;
  const queries = queryRoutes(options, deps);
  const routes: HttpRoute[] = [
    ...queries,
    ...(options.swagger ? documentRoutes(options.release, deps) : []),
    ...(['GET', 'POST'] as const).map((method) => ({ method, path: '/*', handler: notRouted })),
  ];
  return openHttpServer(
    {
      address,
      port,
      routes,
      get: directGets(queries),
      corsOrigins,
      vhosts,
      access,
      ...(limits && { limits }),
    },
    { logger: deps.logger, metrics: deps.metrics, draining: deps.draining },
  );
}

const notRouted: HttpHandler = () => gatewayError('UNIMPLEMENTED', 'Not Implemented');
