import type { Server, ServerWritableStream, UntypedServiceImplementation } from '@grpc/grpc-js';
import { HealthImplementation, service as health } from 'grpc-health-check';
import { smallRequests } from './smallRequests.ts';

type Watch = ServerWritableStream<{ readonly service: string }, { readonly status: string }>;
type Adder = Pick<Server, 'addService'>;

/** Adds the health service; what it returns says that each of the services is not served any more. */
export function addHealth(server: Server, services: readonly string[]): () => void {
  const known = ['', ...services];
  const implementation = new HealthImplementation(
    Object.fromEntries(known.map((name) => [name, 'SERVING' as const])),
  );
  const addService = (_service: unknown, library: UntypedServiceImplementation): void => {
    const { watch: watched } = library as unknown as { readonly watch: (call: Watch) => void };
    // The library keeps each name that was ever watched.
    const watch = (call: Watch): void => {
      if (known.includes(call.request.service)) watched(call);
      else call.write({ status: 'SERVICE_UNKNOWN' });
    };
    server.addService(smallRequests(health), { ...library, watch } as UntypedServiceImplementation);
  };
  const adder: Adder = { addService };
  implementation.addToServer(adder as Server);
  return () => {
    for (const name of known) implementation.setStatus(name, 'NOT_SERVING');
  };
}
