import type { Health, HealthReport } from '@chain/platform/servers';

interface Watched {
  readonly kind: string;
  readonly isSynced: boolean;
  readonly stuckMs: number;
  readonly problem: string | undefined;
}

interface Working {
  readonly name: string;
  readonly stuckMs: number;
}

export interface OperatorHealthDeps {
  readonly watched: () => readonly Watched[];
  readonly working: () => readonly Working[];
  readonly isLeading: () => boolean;
}

/**
 * A watch ends or fails every few minutes at the latest, and one of several looks as well: what does neither for longer
 * will not come back. Far above every time limit of theirs, for a restart costs more than a little waiting.
 */
export const STUCK_MS = 600_000;

/**
 * Ready: every cache is filled, whether this process leads or stands by. Live: no watch has died, and work that waits is
 * taken up. An API server that refuses or does not answer is no reason for a restart, which would not mend it.
 */
export class OperatorHealth implements Health {
  readonly #deps: OperatorHealthDeps;

  constructor(deps: OperatorHealthDeps) {
    this.#deps = deps;
  }

  started(): HealthReport {
    return { ok: true };
  }

  live(): HealthReport {
    const isStuck = ({ stuckMs }: { readonly stuckMs: number }) => stuckMs > STUCK_MS;
    const watches = this.#deps.watched().filter(isStuck);
    const workers = this.#deps.working().filter(isStuck);
    if (watches.length + workers.length === 0) return { ok: true };
    const dead = watches.map(({ kind }) => `the watch of ${kind} has died`);
    const hung = workers.map(({ name }) => `no worker of ${name} has taken up what waits`);
    return { ok: false, reason: `for ten minutes: ${[...dead, ...hung].join(', ')}` };
  }

  ready(): HealthReport {
    const missing = this.#deps.watched().filter(({ isSynced }) => !isSynced);
    const details = { leading: this.#deps.isLeading() };
    if (missing.length === 0) return { ok: true, details };
    const why = missing.find(({ problem }) => problem !== undefined)?.problem;
    const kinds = missing.map(({ kind }) => kind).join(', ');
    return { ok: false, reason: `not listed yet: ${kinds}${why === undefined ? '' : ` (${why})`}`, details };
  }
}
