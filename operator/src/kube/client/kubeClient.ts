import type { Clock } from '@chain/platform';
import type { ResourceKind } from './resourceKinds.ts';
import type { KubeObject, Partially } from './wire.ts';

export interface ObjectRef {
  /** Left out for kinds without namespaces. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface ListOptions {
  /** Left out: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ApplyOptions {
  /** Who owns the fields that are applied. */
  readonly fieldManager: string;
  /** Takes fields from other managers; true by default. False: KUBE_CONFLICT names them. */
  readonly force?: boolean;
  readonly subresource?: 'scale';
}

export interface MetadataPatch {
  /** `null` removes. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** The whole list; give `resourceVersion` as well. */
  readonly finalizers?: readonly string[];
  /** The patch is refused with KUBE_CONFLICT when the object has changed since. */
  readonly resourceVersion?: string | undefined;
}

export interface DeleteOptions {
  /** Only this very object, not one of the same name. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

export interface LogOptions {
  readonly container: string;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly tailLines?: number;
  /** 1 MiB by default. */
  readonly limitBytes?: number;
  /** Of the container that ran before the last restart. */
  readonly previous?: boolean;
}

/**
 * The API server. Objects are plain JSON as on the wire; items of lists have `apiVersion` and `kind` too. Every
 * method throws CodedErrors with a `KubeErrorCode`.
 */
export interface KubeClient {
  /** Undefined when it is not there. */
  get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): Promise<T | undefined>;
  /** All of them, page by page. */
  list<T extends KubeObject>(kind: ResourceKind<T>, options?: ListOptions): Promise<readonly T[]>;
  /**
   * Server-side apply of a part of an object: made when it is not there, fields that the manager applied before and
   * left out now are removed. Never hand it an object that was read: the manager would own all of it.
   */
  apply<T extends KubeObject>(kind: ResourceKind<T>, part: Partially<T>, options: ApplyOptions): Promise<T>;
  /** KUBE_EXISTS when it is there. */
  create<T extends KubeObject>(kind: ResourceKind<T>, object: Partially<T>): Promise<T>;
  /** The whole object with its resourceVersion; KUBE_CONFLICT when it has changed since. */
  replace<T extends KubeObject>(kind: ResourceKind<T>, object: T): Promise<T>;
  /**
   * Merge patch of the status: members of `status` replace, `null` removes, lists are replaced as a whole.
   * KUBE_CONFLICT when the object has changed since `seen`.
   */
  patchStatus<T extends KubeObject>(kind: ResourceKind<T>, seen: T, status: object): Promise<T>;
  patchMetadata<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: MetadataPatch,
  ): Promise<T>;
  /** Merge patch of anything but the status, for what cannot be applied, such as a claim's size; `null` removes. */
  patch<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, patch: object): Promise<T>;
  /** False when it was not there, or was another object than `uid`. */
  delete(kind: ResourceKind, ref: ObjectRef, options?: DeleteOptions): Promise<boolean>;
  /** Undefined when the pod, or the container's log, is not there. */
  readLogs(pod: ObjectRef, options: LogOptions): Promise<string | undefined>;
  /** Whether the API server knows the kind; asked anew each time. */
  knows(kind: ResourceKind): Promise<boolean>;
  /** The API server's time, where this machine's is more than five seconds off. */
  readonly clock: Clock;
}

/** `namespace/name`: how objects are told apart in queues and caches. */
export function keyOf(object: KubeObject): string {
  return keyOfRef({ namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' });
}

function keyOfRef({ namespace, name }: ObjectRef): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
