import type { Clock, Health, HealthReport } from '@chain/platform';
import type { Chain } from '../chain/index.ts';

export interface HealthOptions {
  /** Age of the newest block above which the node is not ready; 0 = never. */
  readonly maxBlockAgeMs: number;
  /** Blocks come only when there is something to put in: their age says nothing. */
  readonly blocksOnDemand: boolean;
}

/** So long after its newest block a node that is behind is taken to go forward still. */
const PROGRESS_MS = 30_000;

/**
 * Probes of one node; `chain` is set once it is open. Readiness goes by block age (design.md §6, Operations). A node
 * that is behind lives: whether it goes forward is told, and restarting it would only set it back.
 */
export class NodeHealth implements Health {
  chain: Chain | undefined;
  readonly #options: HealthOptions;
  readonly #clock: Clock;
  /** The height last seen, and since when. */
  #seen = { height: 0, at: 0 };

  constructor(options: HealthOptions, { clock }: { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = clock;
  }

  live(): HealthReport {
    const failure = this.chain?.failure;
    return failure ? { ok: false, reason: failure.message } : { ok: true };
  }

  started(): HealthReport {
    return this.chain ? { ok: true } : { ok: false, reason: 'opening the state' };
  }

  ready(): HealthReport {
    const live = this.live();
    const time = this.chain?.lastRecord?.block.header.time;
    if (!live.ok) return live;
    if (!this.chain) return this.started();
    if (!time) return { ok: false, reason: 'waiting for the first block' };
    const ageMs = Math.max(0, this.#clock.now() - Number(time.seconds) * 1000 - time.nanos / 1e6);
    const details = { height: this.chain.height, blockAgeSeconds: Math.round(ageMs / 1000) };
    const { maxBlockAgeMs, blocksOnDemand } = this.#options;
    const stale = maxBlockAgeMs > 0 && !blocksOnDemand && ageMs > maxBlockAgeMs;
    if (!stale) return { ok: true, details };
    const reason = this.#goesForward(this.chain.height)
      ? 'syncing: the newest block is too old, and others follow'
      : 'stalled: the newest block is too old, and none follows';
    return { ok: false, reason, details };
  }

  #goesForward(height: number): boolean {
    const now = this.#clock.now();
    if (height !== this.#seen.height) this.#seen = { height, at: now };
    return now - this.#seen.at < PROGRESS_MS;
  }
}
