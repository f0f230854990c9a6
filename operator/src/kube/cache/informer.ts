import { isCodedError, type Logger } from '@chain/platform';
import { Backoff } from '../client/backoff.ts';
import { keyOf } from '../client/kubeClient.ts';
import { listAll } from '../client/listAll.ts';
import { pause } from '../client/pause.ts';
import type { ResourceKind } from '../client/resourceKinds.ts';
import type { Transport } from '../client/transport.ts';
import type { KubeObject } from '../client/wire.ts';
import { type Change, ObjectStore } from './objectStore.ts';
import { type WatchEvent, watchStream } from './watchStream.ts';

export interface InformerOptions<T extends KubeObject> {
  readonly kind: ResourceKind<T>;
  /** None: all namespaces. */
  readonly namespaces: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** For tests of faults; 80 s. */
  readonly idleMs?: number;
  /** Longest wait after a failure; 30 s. */
  readonly maxBackoffMs?: number;
}

export interface InformerDeps {
  readonly transport: Transport;
  readonly logger: Logger;
  /** Told of the kind whenever its watch is alive. */
  readonly onAlive?: (kind: string) => void;
}

/** How far one loop is, and what it has met. */
interface WatchState {
  version: string | undefined;
  listedAt: number;
  readonly backoff: Backoff;
  /** The server has said once that the version is too old, and nothing has worked since. */
  isGone: boolean;
  /** The watch of this round has been answered. */
  isAnswered: boolean;
  /** The newest failure came in the midst of an answer: only what follows one shows that it works again. */
  failedWithin: boolean;
}

/**
 * Whether going on from the same version may fail for ever: a watch told an error of the server's among its events, or
 * what it asks for was refused. A server that does not answer, or asks for time, says nothing of the version.
 */
const isOfVersion = (error: unknown, isAnswered: boolean): boolean =>
  (isAnswered && isCodedError(error) && error.fields.status !== undefined) ||
  isCodedError(error, 'KUBE_REFUSED');

type Listener<T> = (change: Change<T>) => void;

const IDLE_MS = 80_000;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A watch that was followed for so long is all right: what ends it is no part of an older trouble. */
const HEALTHY_MS = 10_000;
/** Insurance against a change that was missed for whatever reason. */
const RELIST_MS = 6 * 3_600_000;

/**
 * All objects of a kind, kept up by list and watch. Failures are told to the log, once each, and tried again for ever,
 * ever more slowly; after a failure, a silence or a version that is too old, listeners hear of exactly what has
 * changed meanwhile. Never open one for Secrets.
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #deps: InformerDeps;
  readonly #store = new ObjectStore<T>();
  readonly #listeners: Listener<T>[] = [];
  readonly #end = new AbortController();
  readonly #missing: Set<string | undefined>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #watches: WatchState[] = [];
  #loops: Promise<void>[] = [];
  #turnedAt = performance.now();

  constructor(options: InformerOptions<T>, deps: InformerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#missing = new Set(options.namespaces.length === 0 ? [undefined] : options.namespaces);
  }

  get kind(): string {
    return this.#options.kind.kind;
  }

  /** Every namespace was listed once. */
  get isSynced(): boolean {
    return this.#missing.size === 0;
  }

  /** How long a loop has neither heard anything nor failed: it should turn every few minutes, whatever it meets. */
  get stuckMs(): number {
    return performance.now() - this.#turnedAt;
  }

  /** Why it does not follow its objects now. */
  get problem(): string | undefined {
    return this.#watches.find(({ backoff }) => backoff.problem !== undefined)?.backoff.problem;
  }

  get size(): number {
    return this.#store.size;
  }

  /** `namespace/name`. */
  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  keys(): readonly string[] {
    return [...this.#store.keys()];
  }

  list(isWanted: (object: T) => boolean = () => true): readonly T[] {
    return [...this.#store.values()].filter(isWanted);
  }

  /** Before `start`. A listener that throws is told to the log, and disturbs nobody. */
  onChange(listener: Listener<T>): void {
    this.#listeners.push(listener);
  }

  start(): void {
    this.#loops = [...this.#missing].map((namespace) => this.#follow(namespace));
  }

  whenSynced(): Promise<void> {
    return this.#synced.promise;
  }

  /** No listener is called after it. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#synced.resolve();
    await Promise.all(this.#loops);
  }

  async #follow(namespace: string | undefined): Promise<void> {
    const { signal } = this.#end;
    const state = this.#newWatch(namespace);
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await this.#round(namespace, state);
        this.#onSuccess(state);
        // A server, or a proxy before it, that ends every watch at once must not be asked without a pause.
        if (performance.now() - startedAt < MIN_BACKOFF_MS) await pause(MIN_BACKOFF_MS, signal);
      } catch (error) {
        if (!signal.aborted) await this.#onFailure(state, error, performance.now() - startedAt);
      }
    }
  }

  #newWatch(namespace: string | undefined): WatchState {
    const { maxBackoffMs: maxMs = MAX_BACKOFF_MS, kind } = this.#options;
    const fields = { kind: kind.kind, ...(namespace !== undefined && { namespace }) };
    const backoff = new Backoff(
      { what: 'Following a kind', fields, minMs: Math.min(MIN_BACKOFF_MS, maxMs), maxMs },
      { logger: this.#deps.logger },
    );
    const state: WatchState = {
      version: undefined,
      listedAt: 0,
      backoff,
      isGone: false,
      isAnswered: false,
      failedWithin: false,
    };
    this.#watches.push(state);
    return state;
  }

  async #onFailure(state: WatchState, error: unknown, afterMs: number): Promise<void> {
    const { backoff } = state;
    this.#turnedAt = performance.now();
    state.failedWithin = state.isAnswered;
    if (state.isAnswered && afterMs > HEALTHY_MS) backoff.reset();
    if (isCodedError(error, 'KUBE_GONE') || isOfVersion(error, state.isAnswered)) state.version = undefined;
    if (isCodedError(error, 'KUBE_GONE')) {
      // A version that is too old is no failure, unless the list that follows is too old as well.
      const isFirst = !state.isGone;
      state.isGone = true;
      if (isFirst) return;
    }
    await pause(backoff.failed(error), this.#end.signal);
  }

  #onSuccess(state: WatchState): void {
    state.isGone = false;
    state.backoff.worked();
    state.backoff.reset();
  }

  /** One list, if there is need of one, and one watch. */
  async #round(namespace: string | undefined, state: WatchState): Promise<void> {
    state.isAnswered = false;
    const now = performance.now();
    if (state.version === undefined || now - state.listedAt > RELIST_MS) {
      state.version = await this.#list(namespace);
      state.listedAt = now;
    }
    for await (const event of this.#watch(namespace, state)) {
      if (this.#end.signal.aborted) return;
      this.#onSuccess(state);
      if (event.type !== 'BOOKMARK') this.#take(event);
      state.version = event.object.metadata?.resourceVersion ?? state.version;
    }
  }

  async #list(namespace: string | undefined): Promise<string> {
    const { kind, labelSelector, fieldSelector } = this.#options;
    const { signal } = this.#end;
    const options = { namespace, labelSelector, fieldSelector, signal };
    const listed = await listAll(this.#deps.transport, kind, options);
    if (signal.aborted) return listed.resourceVersion;
    this.#alive();
    const isOurs = (object: T): boolean =>
      namespace === undefined || object.metadata?.namespace === namespace;
    for (const change of this.#store.replace(listed.items, isOurs)) this.#tell(change);
    this.#missing.delete(namespace);
    if (this.isSynced) this.#synced.resolve();
    return listed.resourceVersion;
  }

  #watch(namespace: string | undefined, state: WatchState): AsyncGenerator<WatchEvent<T>> {
    const { kind, labelSelector, fieldSelector, idleMs = IDLE_MS } = this.#options;
    const { signal } = this.#end;
    // Not the same for all, so that not all begin anew at once.
    const timeoutSeconds = 240 + Math.floor(Math.random() * 240);
    const selectors = { labelSelector, fieldSelector };
    const from = { ...selectors, resourceVersion: state.version ?? '' };
    return watchStream<T>(
      this.#deps.transport,
      { kind, namespace, ...from, idleMs, timeoutSeconds, signal },
      () => {
        this.#alive();
        state.isAnswered = true;
        if (!state.failedWithin) state.backoff.worked();
      },
    );
  }

  #take({ type, object }: WatchEvent<T>): void {
    const { apiVersion, kind } = this.#options.kind;
    const change =
      type === 'DELETED'
        ? this.#store.remove(keyOf(object))
        : this.#store.put({ ...object, apiVersion, kind });
    if (change) this.#tell(change);
  }

  #alive(): void {
    this.#turnedAt = performance.now();
    this.#deps.onAlive?.(this.kind);
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#deps.logger.error('A listener failed', { kind: this.kind, key: change.key, error });
      }
    }
  }
}
