import { CodedError, isCodedError, type Logger } from '@chain/platform';
import { Backoff } from '../client/backoff.ts';
import type { KubeClient } from '../client/kubeClient.ts';
import { pause } from '../client/pause.ts';
import { KINDS, type Lease } from '../client/resourceKinds.ts';
import { microTime } from './eventRecorder.ts';

export interface LeaderElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Of this process; never the same twice. */
  readonly identity: string;
  readonly leaseMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

interface ElectionDeps {
  readonly client: KubeClient;
  readonly logger: Logger;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** Between two attempts where the API server refuses or does not answer. */
const MAX_WAIT_MS = 30_000;

/**
 * One of several processes leads, by a Lease. Times of others are not trusted: a lease is over when it has not
 * changed for its duration by this process's own clock. Whoever cannot renew in time has lost, and must end.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #client: KubeClient;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #end = new AbortController();
  readonly #lost = Promise.withResolvers<void>();
  #seen: { readonly version: string | undefined; readonly at: number } | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #lease: Lease | undefined;
  readonly #backoff: Backoff;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    options: LeaderElectionOptions,
    { client, logger, now = () => performance.now() }: ElectionDeps,
  ) {
    this.#options = options;
    this.#client = client;
    this.#logger = logger;
    this.#now = now;
    const { namespace, name, retryMs } = options;
    this.#backoff = new Backoff(
      {
        what: 'Asking for the lease',
        fields: { namespace, lease: name },
        minMs: retryMs,
        maxMs: Math.max(retryMs, MAX_WAIT_MS),
      },
      { logger },
    );
  }

  /** By the clock, not by what was last heard: false as soon as another may lead. */
  get isLeading(): boolean {
    return this.#lease !== undefined && this.#now() - this.#renewedAt < this.#options.renewDeadlineMs;
  }

  /** Before what cannot be taken back. Throws LEADER_LOST. */
  assertLeading(): void {
    if (this.isLeading) return;
    throw new CodedError(
      'LEADER_LOST',
      `${this.#options.identity} does not lead any more; another one goes on`,
    );
  }

  /** Resolves when leadership is gone without having been given back. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Until this process leads; false when it was closed before. */
  async acquire(): Promise<boolean> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const { isLeading, waitMs } = await this.#try();
      if (isLeading) {
        this.#renewing = this.#renew();
        return true;
      }
      await pause(waitMs, signal);
    }
    return false;
  }

  /** Gives the lease back, so that another need not wait for its end. */
  async close(): Promise<void> {
    const led = this.isLeading;
    this.#end.abort();
    await this.#renewing;
    const lease = this.#lease;
    this.#lease = undefined;
    if (!led || lease === undefined) return;
    const spec = {
      ...lease.spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: microTime(Date.now()),
    };
    try {
      await this.#client.replace(KINDS.lease, { ...lease, spec });
    } catch (error) {
      this.#logger.warn('The lease was not given back', { error });
    }
  }

  async #renew(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await pause(this.#options.retryMs * (1 + Math.random() / 10), signal);
      if (signal.aborted) return;
      // Who leads has no time to be patient: the lease ends.
      await this.#try();
      if (this.isLeading) continue;
      this.#logger.error('Leadership is lost', { identity: this.#options.identity });
      this.#lease = undefined;
      this.#lost.resolve();
      return;
    }
  }

  async #try(): Promise<{ readonly isLeading: boolean; readonly waitMs: number }> {
    // The lease counts from before the request: it may have taken long.
    const startedAt = this.#now();
    const waitMs = this.#options.retryMs * (1 + Math.random() / 10);
    try {
      const taken = await this.#take();
      this.#answered();
      if (taken === undefined) return { isLeading: false, waitMs };
      this.#lease = taken;
      this.#renewedAt = startedAt;
      return { isLeading: true, waitMs };
    } catch (error) {
      const isRace = isCodedError(error, 'KUBE_CONFLICT') || isCodedError(error, 'KUBE_EXISTS');
      if (!isRace) return { isLeading: false, waitMs: this.#backoff.failed(error) };
      this.#answered();
      return { isLeading: false, waitMs };
    }
  }

  #answered(): void {
    this.#backoff.worked();
    this.#backoff.reset();
  }

  async #take(): Promise<Lease | undefined> {
    const { namespace, name, identity, leaseMs } = this.#options;
    const found = await this.#client.get(KINDS.lease, { namespace, name });
    const time = microTime(Date.now());
    const held = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1000),
      renewTime: time,
    };
    if (found === undefined) {
      const spec = { ...held, acquireTime: time, leaseTransitions: 0 };
      return await this.#client.create(KINDS.lease, { metadata: { namespace, name }, spec });
    }
    const { holderIdentity, leaseTransitions = 0 } = found.spec ?? {};
    if (holderIdentity === identity) {
      return await this.#client.replace(KINDS.lease, { ...found, spec: { ...found.spec, ...held } });
    }
    if (holderIdentity && !this.#isOver(found)) return undefined;
    // Whoever held it may have been this process, before a pause: it has lost it.
    this.#lease = undefined;
    const spec = { ...held, acquireTime: time, leaseTransitions: leaseTransitions + 1 };
    return await this.#client.replace(KINDS.lease, { ...found, spec });
  }

  #isOver({ metadata, spec }: Lease): boolean {
    const version = metadata?.resourceVersion;
    if (this.#seen?.version !== version) this.#seen = { version, at: this.#now() };
    const durationMs = (spec?.leaseDurationSeconds ?? 0) * 1000 || this.#options.leaseMs;
    return this.#now() - this.#seen!.at > durationMs;
  }
}
