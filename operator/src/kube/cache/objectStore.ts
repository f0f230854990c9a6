import { keyOf } from '../client/kubeClient.ts';
import type { KubeObject } from '../client/wire.ts';

/** What has become of an object. `object` is missing when it is gone, `before` when it is new. */
export interface Change<T> {
  readonly key: string;
  readonly object?: T | undefined;
  readonly before?: T | undefined;
}

/** Annotations that nobody reads and that can be as large as the object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The newest objects that a reflector has seen, by `namespace/name`. */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /** Nothing when it was seen already: a watch that begins anew may tell the same once more. */
  put(given: T): Change<T> | undefined {
    const key = keyOf(given);
    const before = this.#objects.get(key);
    if (before?.metadata?.resourceVersion === given.metadata?.resourceVersion) return undefined;
    const object = slim(given);
    this.#objects.set(key, object);
    return { key, object, before };
  }

  remove(key: string): Change<T> | undefined {
    const before = this.#objects.get(key);
    return this.#objects.delete(key) ? { key, before } : undefined;
  }

  /** Makes it what a list has told; what the list did not have is gone. `isOurs`: which part was listed. */
  replace(listed: readonly T[], isOurs: (object: T) => boolean): Change<T>[] {
    const there = new Set(listed.map(keyOf));
    const gone = [...this.#objects].filter(([key, object]) => !there.has(key) && isOurs(object));
    return [...gone.map(([key]) => this.remove(key)), ...listed.map((object) => this.put(object))].filter(
      (change) => change !== undefined,
    );
  }
}

function slim<T extends KubeObject>(object: T): T {
  const { managedFields: _, annotations, ...metadata } = (object.metadata ?? {}) as Record<string, unknown>;
  if (annotations === undefined) return { ...object, metadata };
  const { [LAST_APPLIED]: _applied, ...kept } = annotations as Record<string, string>;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
