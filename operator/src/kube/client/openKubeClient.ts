import type { MetricsRegistry } from '@chain/platform/metrics';
import type { CredentialSource } from './credentials.ts';
import { DirectClient } from './directClient.ts';
import { Transport, type TransportOptions } from './transport.ts';

export interface OpenedClient {
  readonly client: DirectClient;
  readonly transport: Transport;
  /** Another client with connections of its own, and its own time for an answer, in milliseconds. */
  beside(answerMs: number): DirectClient;
  close(): void;
}

/** Opens the connection pool of the program. Nothing is sent yet. */
export function openKubeClient(
  deps: { readonly credentials: CredentialSource; readonly metrics: MetricsRegistry },
  options: Omit<TransportOptions, 'answerMs'> = {},
): OpenedClient {
  const requests = deps.metrics.counter({
    name: 'chain_kube_requests_total',
    help: 'Requests to the API server by verb and status; code "none" had no answer.',
    labels: ['verb', 'code'],
  });
  const { credentials } = deps;
  const transport = new Transport(options, { credentials, requests });
  const opened = [transport];
  return {
    client: new DirectClient(transport),
    transport,
    beside: (answerMs) => {
      const another = new Transport({ ...options, answerMs }, { credentials, requests });
      opened.push(another);
      return new DirectClient(another);
    },
    close: () => {
      for (const one of opened) one.close();
    },
  };
}
