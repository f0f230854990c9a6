import type { Health, HealthReport } from '@chain/platform';
import type { Informer, KubeObject } from '../kube/index.ts';

/** A watch that has been silent for so long is dead, and nothing else will bring it back. */
const SILENT_MS = 600_000;

/** Ready once everything is listed: a follower has warm caches and counts as ready. */
export class OperatorHealth implements Health {
  readonly #informers: readonly Pick<Informer<KubeObject>, 'kind' | 'isSynced' | 'silentMs'>[];

  constructor(informers: readonly Pick<Informer<KubeObject>, 'kind' | 'isSynced' | 'silentMs'>[]) {
    this.#informers = informers;
  }

  live(): HealthReport {
    const silent = this.#informers.find(({ isSynced, silentMs }) => isSynced && silentMs > SILENT_MS);
    return silent
      ? { ok: false, reason: `nothing was heard of ${silent.kind} for ten minutes` }
      : { ok: true };
  }

  ready(): HealthReport {
    const missing = this.#informers.filter(({ isSynced }) => !isSynced).map(({ kind }) => kind);
    return missing.length > 0 ? { ok: false, reason: `not listed yet: ${missing.join(', ')}` } : this.live();
  }

  started(): HealthReport {
    return { ok: true };
  }
}
