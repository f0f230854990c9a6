import type { Clock, Health, HealthReport } from '@chain/platform';
import type { Chain } from '../chain/index.ts';

export interface HealthOptions {
  /** Age of the newest block above which the node is not ready; 0 = never. */
  readonly maxBlockAgeMs: number;
  /** Blocks come only when there is something to put in: their age says nothing. */
  readonly blocksOnDemand: boolean;
}

/** Probes of one node; `chain` is set once it is open. Readiness goes by block age (design.md §6, Operations). */
export class NodeHealth implements Health {
  chain: Chain | undefined;
  readonly #options: HealthOptions;
  readonly #clock: Clock;

  constructor(options: HealthOptions, { clock }: { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = clock;
  }

  live(): HealthReport {
    const failure = this.chain?.failure;
    return failure ? { ok: false, reason: failure.message } : { ok: true };
  }

  started(): HealthReport {
    return this.chain?.lastRecord
      ? { ok: true }
      : { ok: false, reason: 'opening the state, or before the first block' };
  }

  ready(): HealthReport {
    const live = this.live();
    const time = this.chain?.lastRecord?.block.header.time;
    if (!live.ok || !this.chain || !time) return live.ok ? this.started() : live;
    const ageMs = Math.max(0, this.#clock.now() - Number(time.seconds) * 1000 - time.nanos / 1e6);
    const details = { height: this.chain.height, blockAgeSeconds: Math.round(ageMs / 1000) };
    const { maxBlockAgeMs, blocksOnDemand } = this.#options;
    const stale = maxBlockAgeMs > 0 && !blocksOnDemand && ageMs > maxBlockAgeMs;
    return stale ? { ok: false, reason: 'the newest block is too old', details } : { ok: true, details };
  }
}
