import type { ChainNode } from '../../api/index.ts';
import type { Observation } from '../../observe/index.ts';
import type { MigrationPass } from '../../task/index.ts';
import type { Done } from './passStatus.ts';
import { usedPercent } from './volume.ts';

/** What watches have seen of nodes. */
export interface SeenNodes {
  /** `namespace/name`. */
  node(key: string): ChainNode | undefined;
  /** Grows with each change of the node, of its objects or of its peers; statuses of the node aside. */
  changesOf(key: string): number;
}

/** A whole pass that has found nothing to do. */
export interface Rest {
  readonly done: Done;
  readonly pass: MigrationPass;
}

interface Noted extends Rest {
  readonly changes: number;
  readonly atMs: number;
}

/** A whole pass follows at least so often: nobody tells of Secrets. */
const WHOLE_MS = 300_000;
/** A migration that asks to be looked at sooner waits for something. */
const LONG_MS = 600_000;

/**
 * Nodes in which nothing is left to do. Until something of one changes, what it says of itself is all that is looked
 * at, and the API server is not asked.
 */
export class RestingNodes {
  readonly #seen: SeenNodes | undefined;
  readonly #noted = new Map<string, Noted>();

  /** Without watches no node ever rests. */
  constructor(seen: SeenNodes | undefined) {
    this.#seen = seen;
  }

  /** Before a pass reads anything: what changes from then on is not in what it finds. */
  changesOf(key: string): number {
    return this.#seen?.changesOf(key) ?? 0;
  }

  /** What a pass that wrote no status has found; `changes`: as they were before it. */
  note(key: string, { done, pass }: Partial<Rest>, at: Pick<Noted, 'changes' | 'atMs'>): void {
    if (this.#seen && done && pass && isAtRest(done, pass)) this.#noted.set(key, { done, pass, ...at });
  }

  forget(key: string): void {
    this.#noted.delete(key);
  }

  /** The same with the newest observation; `undefined` where a whole pass is due. */
  find(key: string, observation: Observation | undefined, nowMs: number): Rest | undefined {
    const noted = this.#noted.get(key);
    if (!noted || !this.#seen) return undefined;
    const { done, pass, changes, atMs } = noted;
    const isSame =
      changes === this.#seen.changesOf(key) &&
      this.#seen.node(key)?.metadata.resourceVersion === done.view.node.metadata.resourceVersion &&
      usedPercent(observation) === done.volume.usedPercent &&
      nowMs - atMs < WHOLE_MS;
    return isSame ? { done: { ...done, view: { ...done.view, observation } }, pass } : undefined;
  }
}

/** It serves, and nobody waits for anything of it. What a validator has signed is noted by whole passes. */
function isAtRest({ view, workload, signer, fault }: Done, pass: MigrationPass): boolean {
  const isIdle = pass.status === undefined && (pass.requeueAfterMs ?? LONG_MS) >= LONG_MS;
  const { report, problem } = view.observation ?? {};
  const isWell = report !== undefined && problem === undefined && view.desired.serves;
  return isIdle && isWell && !fault && !signer && workload?.restart.state === 'free';
}
