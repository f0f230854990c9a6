import type { KubeClient } from '../client/kubeClient.ts';

/**
 * Writes only while its process leads: each write asks `assertLeading` right before it is sent, which throws. A process
 * that stood still for longer than its lease wakes in the midst of a pass, and must not finish it.
 */
export function leadingClient(client: KubeClient, assertLeading: () => void): KubeClient {
  const leading = async <T>(write: () => Promise<T>): Promise<T> => {
    assertLeading();
    return await write();
  };
  return {
    clock: client.clock,
    get: (kind, ref) => client.get(kind, ref),
    list: (kind, options) => client.list(kind, options),
    readLogs: (pod, options) => client.readLogs(pod, options),
    knows: (kind) => client.knows(kind),
    apply: (kind, part, options) => leading(() => client.apply(kind, part, options)),
    create: (kind, object) => leading(() => client.create(kind, object)),
    replace: (kind, object) => leading(() => client.replace(kind, object)),
    patchStatus: (kind, seen, status) => leading(() => client.patchStatus(kind, seen, status)),
    patchMetadata: (kind, ref, patch) => leading(() => client.patchMetadata(kind, ref, patch)),
    patch: (kind, ref, patch) => leading(() => client.patch(kind, ref, patch)),
    delete: (kind, ref, options) => leading(() => client.delete(kind, ref, options)),
  };
}
