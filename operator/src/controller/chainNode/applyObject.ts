import type { CounterMetric, Logger } from '@chain/platform';
import { ANNOTATIONS, FIELD_MANAGERS } from '../../api/index.ts';
import { type KubeClient, type KubeObject, resourceKind } from '../../kube/index.ts';
import { digestOf, type Manifest } from '../../resources/index.ts';

export interface ApplyDeps {
  readonly client: KubeClient;
  readonly logger: Logger;
  readonly drift: CounterMetric<'kind'>;
}

const PLURALS: Readonly<Record<string, string>> = { NetworkPolicy: 'networkpolicies' };

const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) => {
  const plural = PLURALS[kind];
  return resourceKind<KubeObject>(apiVersion, kind, plural === undefined ? {} : { plural });
};

/**
 * Applies objects, and only those that differ: from what was rendered last (by its digest, which they carry), or because
 * somebody else has changed them.
 */
export class ObjectApplier {
  readonly #deps: ApplyDeps;
  /** By object: what the API server made of what we applied last. */
  readonly #applied = new Map<string, { readonly digest: string; readonly resourceVersion: string }>();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  /** Gives the object as it is then, and whether it was changed. */
  async apply(manifest: Manifest): Promise<{ readonly live: KubeObject; readonly changed: boolean }> {
    const { client, logger, drift } = this.#deps;
    const kind = kindOf(manifest);
    const { name, namespace } = manifest.metadata;
    const digest = digestOf(manifest);
    const key = `${manifest.kind}/${namespace}/${name}`;
    const live = await client.get(kind, { namespace, name });
    if (live && this.#isUpToDate(key, { manifest, live, digest })) return { live, changed: false };
    const drifted = live?.metadata?.annotations?.[ANNOTATIONS.specHash] === digest;
    if (drifted && live) {
      drift.add(1, { kind: manifest.kind });
      logger.info('Somebody has changed an object of a node; it is put back', {
        kind: manifest.kind,
        namespace,
        name,
      });
    }
    const applied = await client.apply(kind, withDigest(manifest, digest), {
      fieldManager: FIELD_MANAGERS.spec,
    });
    this.#applied.set(key, { digest, resourceVersion: applied.metadata?.resourceVersion ?? '' });
    return { live: applied, changed: true };
  }

  /** Makes an object with fields that it is given only once. */
  async create(manifest: Manifest, once: { readonly spec: object }): Promise<KubeObject> {
    const marked = withDigest(manifest, digestOf(manifest));
    const spec = { ...(manifest.spec as object), ...once.spec };
    return this.#deps.client.apply(kindOf(manifest), { ...marked, spec } as KubeObject, {
      fieldManager: FIELD_MANAGERS.spec,
    });
  }

  /** Deletes an object if it is the node's. */
  async remove(
    absence: { readonly apiVersion: string; readonly kind: string; readonly name: string },
    owner: { readonly namespace: string; readonly uid: string },
  ): Promise<void> {
    const { client } = this.#deps;
    const kind = kindOf(absence);
    const ref = { namespace: owner.namespace, name: absence.name };
    const live = (await client.get(kind, ref)) as Owned | undefined;
    if (!live?.metadata?.ownerReferences?.some(({ uid }) => uid === owner.uid)) return;
    await client.delete(kind, ref, { uid: live.metadata.uid });
  }

  #isUpToDate(key: string, seen: { manifest: Manifest; live: KubeObject; digest: string }): boolean {
    const { manifest, live, digest } = seen;
    if (live.metadata?.annotations?.[ANNOTATIONS.specHash] !== digest) return false;
    const applied = this.#applied.get(key);
    const isOurs = applied?.digest === digest && applied.resourceVersion === live.metadata.resourceVersion;
    return isOurs || covers(live, manifest);
  }
}

function withDigest(manifest: Manifest, digest: string): Manifest {
  const annotations = { ...manifest.metadata.annotations, [ANNOTATIONS.specHash]: digest };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

interface Owned extends KubeObject {
  readonly metadata?: NonNullable<KubeObject['metadata']> & {
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
}

/** Whether all that `part` says holds in `whole`; what the API server filled in does not count. */
export function covers(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (Array.isArray(part)) {
    // The API server drops empty lists.
    if (part.length === 0 && whole === undefined) return true;
    return (
      Array.isArray(whole) && whole.length === part.length && part.every((item, i) => covers(whole[i], item))
    );
  }
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return Object.keys(part).length === 0;
  return Object.entries(part).every(([key, value]) => covers((whole as Record<string, unknown>)[key], value));
}
