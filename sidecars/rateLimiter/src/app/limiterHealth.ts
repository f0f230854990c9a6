import type { Clock } from '@chain/platform';
import type { Health, HealthReport } from '@chain/platform/servers';
import type { UpstreamState } from '../upstream/index.ts';

export interface ReadinessRules {
  /** 0: never too old. */
  readonly maxBlockAgeMs: number;
  readonly requireSynced: boolean;
}

export interface LimiterHealthDeps {
  readonly clock: Clock;
  readonly upstream: () => UpstreamState;
  readonly rules: () => ReadinessRules;
}

const OK: HealthReport = { ok: true };

/** Probes of the limiter: it lives on its own, and is ready when the node behind it is. */
export class LimiterHealth implements Health {
  readonly #deps: LimiterHealthDeps;
  #drainingSince: number | undefined;
  #isOpen = false;

  constructor(deps: LimiterHealthDeps) {
    this.#deps = deps;
  }

  /** It listens. */
  open(): void {
    this.#isOpen = true;
  }

  get isDraining(): boolean {
    return this.#drainingSince !== undefined;
  }

  /** Ms since draining began; 0 when it has not. */
  get drainedMs(): number {
    return this.#drainingSince === undefined ? 0 : this.#deps.clock.now() - this.#drainingSince;
  }

  drain(): void {
    this.#drainingSince ??= this.#deps.clock.now();
  }

  /** Takes traffic again. */
  resume(): void {
    this.#drainingSince = undefined;
  }

  live(): HealthReport {
    return OK;
  }

  started(): HealthReport {
    return this.#isOpen ? OK : { ok: false, reason: 'not listening yet' };
  }

  ready(): HealthReport {
    if (!this.#isOpen) return this.started();
    if (this.isDraining) return { ok: false, reason: 'draining' };
    const { failure, height, blockTimeMs, catchingUp } = this.#deps.upstream();
    if (failure !== undefined) return { ok: false, reason: failure };
    const { maxBlockAgeMs, requireSynced } = this.#deps.rules();
    const ageMs = Math.max(0, this.#deps.clock.now() - blockTimeMs);
    const details = { height, blockAgeSeconds: Math.round(ageMs / 1000), catchingUp };
    if (requireSynced && catchingUp) return { ok: false, reason: 'the node is catching up', details };
    if (blockTimeMs === 0) return { ok: false, reason: 'the node has no block yet', details };
    const isStale = maxBlockAgeMs > 0 && ageMs > maxBlockAgeMs;
    return isStale ? { ok: false, reason: 'the newest block is too old', details } : { ok: true, details };
  }
}
