import type { Logger } from '@chain/platform';
import type { CounterMetric } from '@chain/platform/metrics';
import { ANNOTATIONS, FIELD_MANAGERS } from '../../api/index.ts';
import { type KubeClient, type KubeObject, type ResourceKind, resourceKind } from '../../kube/index.ts';
import { digestOf, isOwnedBy, type Manifest, requireOurs } from '../../resources/index.ts';

export interface ApplyDeps {
  readonly client: KubeClient;
  readonly logger: Logger;
  readonly drift: CounterMetric<'kind'>;
  /** What watches have seen of objects; without it each is asked for. */
  readonly cached?: CachedObjects;
}

/** What somebody else has done to an object. */
export type Drift = 'changed' | 'deleted' | 'scaled';

export interface Applied {
  readonly live: KubeObject;
  readonly changed: boolean;
  readonly drift?: Drift;
}

const UNWATCHED: CachedObjects = { isWatched: () => false, get: () => undefined };

/** `undefined` for what is not there; a kind that nobody watches is asked of the API server. */
export interface CachedObjects {
  isWatched(kind: string): boolean;
  get(kind: string, key: string): KubeObject | undefined;
}

const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
  resourceKind<KubeObject>(apiVersion, kind);

/**
 * Applies objects, and only those that differ: from what was rendered last (by its digest, which they carry), or because
 * somebody else has changed them. Nothing is applied over an object of somebody else.
 */
export class ObjectApplier {
  readonly #deps: ApplyDeps & { readonly cached: CachedObjects };
  /** By object: what the API server made of what was applied last. */
  readonly #applied = new Map<string, { readonly digest: string; readonly object: KubeObject }>();
  /** By the uid of a node: how many pods its StatefulSet was given last. */
  readonly scaled = new Map<string, number>();
  /** Of kinds that nobody watches: what was looked for once and need not be there. */
  readonly #absent = new Set<string>();

  constructor(deps: ApplyDeps) {
    this.#deps = { ...deps, cached: deps.cached ?? UNWATCHED };
  }

  /** Gives the object as it is then, and what was done. Throws RESOURCES_NAME_TAKEN. */
  async apply(manifest: Manifest): Promise<Applied> {
    const { client } = this.#deps;
    const kind = kindOf(manifest);
    const { name, namespace } = manifest.metadata;
    const digest = digestOf(manifest);
    const key = `${manifest.kind} ${namespace}/${name}`;
    const live = await this.find<KubeObject>(manifest);
    if (live && this.#isUpToDate(key, { manifest, live, digest })) return { live, changed: false };
    const isDeleted = live === undefined && this.#applied.has(key);
    const drifted = isDeleted || live?.metadata?.annotations?.[ANNOTATIONS.specHash] === digest;
    if (drifted) this.putBack(manifest, isDeleted ? 'deleted' : 'changed');
    this.#absent.delete(key);
    const applied = await client.apply(kind, over(live, withDigest(manifest, digest)), {
      fieldManager: FIELD_MANAGERS.spec,
      // Somebody may have made one in between: its fields are not taken.
      force: live !== undefined,
    });
    this.#applied.set(key, { digest, object: applied });
    return { live: applied, changed: true, ...(drifted && { drift: isDeleted ? 'deleted' : 'changed' }) };
  }

  /** Counts what somebody else has done to an object, which is undone. */
  putBack({ kind, metadata: { namespace, name } }: Manifest, what: Drift): void {
    const { drift, logger } = this.#deps;
    drift.add(1, { kind });
    logger.info('Somebody has changed an object of a node; it is put back', { kind, namespace, name, what });
  }

  /** Whether this process has applied it before. */
  hasApplied({ kind, metadata: { namespace, name } }: Manifest): boolean {
    return this.#applied.has(`${kind} ${namespace}/${name}`);
  }

  /** The object that a manifest would be applied over. Caches know only objects with the operator's labels. */
  async find<T extends KubeObject>(manifest: Manifest): Promise<T | undefined> {
    const { client, cached } = this.#deps;
    const { name, namespace } = manifest.metadata;
    const kind = resourceKind<T>(manifest.apiVersion, manifest.kind);
    const known = await this.read(kind, { namespace, name });
    const live = known ?? (cached.isWatched(kind.kind) ? await client.get(kind, { namespace, name }) : known);
    if (live) requireOurs(live, manifest);
    return live;
  }

  /** The newest of an object that this process knows: a watch is a little behind what was just applied. */
  async read<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: { readonly namespace: string; readonly name: string },
  ): Promise<T | undefined> {
    const { client, cached } = this.#deps;
    if (!cached.isWatched(kind.kind)) return client.get(kind, ref);
    const name = `${ref.namespace}/${ref.name}`;
    const seen = cached.get(kind.kind, name) as T | undefined;
    const own = this.#applied.get(`${kind.kind} ${name}`)?.object as T | undefined;
    if (seen && own) return versionOf(own) > versionOf(seen) ? own : seen;
    // Either gone, or not seen yet: only the API server knows.
    return seen ?? (own ? client.get(kind, ref) : undefined);
  }

  /** Nothing is kept of a node that is gone. */
  forget(namespace: string, names: readonly string[]): void {
    for (const key of this.#applied.keys()) {
      if (names.some((name) => key.endsWith(` ${namespace}/${name}`))) this.#applied.delete(key);
    }
    for (const name of names) this.#absent.delete(`PodMonitor ${namespace}/${name}`);
  }

  /** Makes an object with fields that it is given only once. */
  async create(manifest: Manifest, once: { readonly spec: object }): Promise<KubeObject> {
    const marked = withDigest(manifest, digestOf(manifest));
    const spec = { ...(manifest.spec as object), ...once.spec };
    const made = await this.#deps.client.apply(kindOf(manifest), { ...marked, spec } as KubeObject, {
      fieldManager: FIELD_MANAGERS.spec,
      force: false,
    });
    const { name, namespace } = manifest.metadata;
    this.#applied.set(`${manifest.kind} ${namespace}/${name}`, { digest: digestOf(manifest), object: made });
    return made;
  }

  /** Deletes an object if it is the node's. */
  async remove(
    absence: { readonly apiVersion: string; readonly kind: string; readonly name: string },
    owner: { readonly namespace: string; readonly uid: string },
  ): Promise<void> {
    const { client } = this.#deps;
    const kind = kindOf(absence);
    const ref = { namespace: owner.namespace, name: absence.name };
    const key = `${absence.kind} ${owner.namespace}/${absence.name}`;
    if (this.#absent.has(key)) return;
    const live = await this.read<KubeObject>(kind, ref);
    if (!this.#deps.cached.isWatched(absence.kind)) this.#absent.add(key);
    if (live && isOwnedBy(live, owner.uid)) await client.delete(kind, ref, { uid: live.metadata?.uid });
  }

  #isUpToDate(key: string, seen: { manifest: Manifest; live: KubeObject; digest: string }): boolean {
    const { manifest, live, digest } = seen;
    if (live.metadata?.annotations?.[ANNOTATIONS.specHash] !== digest) return false;
    const applied = this.#applied.get(key);
    const isOurs =
      applied?.digest === digest &&
      applied.object.metadata?.resourceVersion === live.metadata.resourceVersion;
    return isOurs || covers(live, manifest);
  }
}

const versionOf = ({ metadata }: KubeObject): bigint => BigInt(metadata?.resourceVersion ?? 0);

function withDigest(manifest: Manifest, digest: string): Manifest {
  const annotations = { ...manifest.metadata.annotations, [ANNOTATIONS.specHash]: digest };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** The same, for this very object: the API server refuses it for another one of the name. */
function over(live: KubeObject | undefined, manifest: Manifest): Manifest {
  const uid = live?.metadata?.uid;
  return uid === undefined ? manifest : { ...manifest, metadata: { ...manifest.metadata, uid } };
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
