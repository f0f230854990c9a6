import type { Clock } from '@chain/platform';
import type { NotReady, NotReadyCode, StateSyncProgress } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Health, HealthReport } from '@chain/platform/servers';
import type { Chain } from '../chain/index.ts';
import { describeStateSync } from './stateSync/describeStateSync.ts';

export interface HealthOptions {
  /** Age of the newest block above which the node is not ready; 0 = never. */
  readonly maxBlockAgeMs: number;
  /** Blocks come only when there is something to put in: their age says nothing. */
  readonly blocksOnDemand: boolean;
}

/** So long after its newest block a node that is behind is taken to go forward still. */
const PROGRESS_MS = 30_000;

/**
 * Probes of one node; `chain` is set once it is open. Readiness goes by block age (spec N-7). A node
 * that is behind lives: whether it goes forward is told, and restarting it would only set it back.
 */
export class NodeHealth implements Health {
  chain: Chain | undefined;
  /** How far state sync is, before there is a chain to open. */
  stateSync: StateSyncProgress | undefined;
  readonly #options: HealthOptions;
  readonly #clock: Clock;
  #isDraining = false;
  /** The height last seen, and since when. */
  #seen = { height: 0, at: 0 };

  constructor(options: HealthOptions, { clock }: { readonly clock: Clock }) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The same for who watches many nodes. */
  register(metrics: MetricsRegistry): void {
    metrics.gauge({
      name: 'chain_app_ready_count',
      help: '1 while the node may get traffic.',
      read: () => Number(this.ready().ok),
    });
    metrics.gauge({
      name: 'chain_app_block_age_seconds',
      help: 'Age of the newest block; 0 before the first.',
      read: () => (this.#blockAgeMs() ?? 0) / 1000,
    });
  }

  /** It is being stopped: nobody should come any more. */
  drain(): void {
    this.#isDraining = true;
  }

  live(): HealthReport {
    const failure = this.chain?.failure;
    return failure ? { ok: false, reason: failure.message } : { ok: true };
  }

  started(): HealthReport {
    // A restore may take hours, and a restart would only begin it anew.
    if (this.chain || this.stateSync) return { ok: true };
    return { ok: false, reason: 'opening the state' };
  }

  ready(): HealthReport {
    const reason = this.notReady();
    const details = this.#details();
    return { ok: !reason, ...(reason && { reason: reason.message }), ...(details && { details }) };
  }

  /** `undefined` when it is ready. */
  notReady(): NotReady | undefined {
    const { failure } = this.chain ?? {};
    if (failure) return because('failed', failure.message);
    if (this.#isDraining) return because('stopping', 'the node is stopping');
    if (!this.chain) {
      return this.stateSync
        ? because('stateSync', `state sync: ${describeStateSync(this.stateSync)}`)
        : because('opening', 'opening the state');
    }
    const ageMs = this.#blockAgeMs();
    if (ageMs === undefined) return because('firstBlock', 'waiting for the first block');
    if (!this.#isStale(ageMs)) return undefined;
    return this.#goesForward(this.chain.height)
      ? because('syncing', 'syncing: the newest block is too old, and others follow')
      : because('stalled', 'stalled: the newest block is too old, and none follows');
  }

  #isStale(ageMs: number): boolean {
    const { maxBlockAgeMs, blocksOnDemand } = this.#options;
    return maxBlockAgeMs > 0 && !blocksOnDemand && ageMs > maxBlockAgeMs;
  }

  #details(): HealthReport['details'] {
    const ageMs = this.#blockAgeMs();
    if (!this.chain || ageMs === undefined || this.chain.failure || this.#isDraining) return undefined;
    return { height: this.chain.height, blockAgeSeconds: Math.round(ageMs / 1000) };
  }

  #blockAgeMs(): number | undefined {
    const time = this.chain?.lastRecord?.block.header.time;
    return time && Math.max(0, this.#clock.now() - Number(time.seconds) * 1000 - time.nanos / 1e6);
  }

  #goesForward(height: number): boolean {
    const now = this.#clock.now();
    if (height !== this.#seen.height) this.#seen = { height, at: now };
    return now - this.#seen.at < PROGRESS_MS;
  }
}

const because = (code: NotReadyCode, message: string): NotReady => ({ code, message });
