import type { MetricsRegistry } from '@chain/platform/metrics';
import type { CredentialSource } from './credentials.ts';
import { DirectClient } from './directClient.ts';
import { Transport } from './transport.ts';

export interface OpenedClient {
  readonly client: DirectClient;
  readonly transport: Transport;
  close(): void;
}

/** Opens the one connection pool of the program. Nothing is sent yet. */
export function openKubeClient(deps: {
  readonly credentials: CredentialSource;
  readonly metrics: MetricsRegistry;
}): OpenedClient {
  const requests = deps.metrics.counter({
    name: 'chain_kube_requests_total',
    help: 'Requests to the API server by verb and status; code "none" had no answer.',
    labels: ['verb', 'code'],
  });
  const transport = new Transport({ credentials: deps.credentials, requests });
  return { client: new DirectClient(transport), transport, close: () => transport.close() };
}
