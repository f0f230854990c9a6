import type { Health, HealthReport } from '@chain/platform';

interface Watched {
  readonly kind: string;
  readonly isSynced: boolean;
  readonly silentMs: number;
}

/** A watch is begun anew every few minutes at the latest; one that is silent for longer will not come back. */
const SILENT_MS = 600_000;

/** Ready: every cache is filled, whether this process leads or stands by. Live: no watch has died. */
export class OperatorHealth implements Health {
  readonly #watched: () => readonly Watched[];
  readonly #isLeading: () => boolean;

  constructor(watched: () => readonly Watched[], isLeading: () => boolean) {
    this.#watched = watched;
    this.#isLeading = isLeading;
  }

  started(): HealthReport {
    return { ok: true };
  }

  live(): HealthReport {
    const silent = this.#watched().filter(({ silentMs }) => silentMs > SILENT_MS);
    if (silent.length === 0) return { ok: true };
    const kinds = silent.map(({ kind }) => kind).join(', ');
    return { ok: false, reason: `nothing was heard of the API server for ten minutes: ${kinds}` };
  }

  ready(): HealthReport {
    const missing = this.#watched().filter(({ isSynced }) => !isSynced);
    const details = { leading: this.#isLeading() };
    if (missing.length === 0) return { ok: true, details };
    return { ok: false, reason: `not listed yet: ${missing.map(({ kind }) => kind).join(', ')}`, details };
  }
}
