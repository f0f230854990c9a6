import type { KubeClient } from '../client/kubeClient.ts';
import type { ResourceKind } from '../client/resourceKinds.ts';
import type { KubeObject } from '../client/wire.ts';

/** Adds a finalizer by a patch of the metadata alone: writing the whole object could trip over rules of its spec. */
export async function addFinalizer<T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  const finalizers = object.metadata?.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return await write(client, kind, object, [...finalizers, finalizer]);
}

/** Lets the object go, as far as this finalizer is concerned. */
export async function removeFinalizer<T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  const finalizers = object.metadata?.finalizers ?? [];
  if (!finalizers.includes(finalizer)) return;
  await write(
    client,
    kind,
    object,
    finalizers.filter((name) => name !== finalizer),
  );
}

function write<T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  { metadata = {} }: T,
  finalizers: readonly string[],
): Promise<T> {
  const { namespace, name = '', resourceVersion } = metadata;
  return client.patchMetadata(kind, { namespace, name }, { finalizers, resourceVersion });
}
