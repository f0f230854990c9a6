import { mkdir } from 'node:fs/promises';
import { writeFileDurably } from '@chain/platform';
import { lockDirectory } from '../state/changelog/index.ts';
import type { Check } from './checks.ts';
import { refuseWhileUsed } from './homeUse.ts';
import {
  isBetweenWipeAndSeal,
  isDone,
  type Journal,
  readJournal,
  STEPS,
  type StepName,
  writeJournal,
} from './journal.ts';
import { migrationPlaces } from './layout.ts';
import { migrationErrors } from './migrationErrors.ts';
import { abortMigration } from './steps/abortStep.ts';
import { DATA_STEPS } from './steps/dataSteps.ts';
import { withNewWish } from './steps/newWish.ts';
import { type PreflightWish, preflight, preflightFailed } from './steps/preflightStep.ts';
import { startAgain, startStep, stopStep } from './steps/processSteps.ts';
import type { Step, StepDeps } from './steps/stepContext.ts';
import { awaitSync } from './verify/awaitSync.ts';
import { createReport, type MigrationReport, reportPage } from './verify/report.ts';
import { verifyNode } from './verify/verifyNode.ts';

/** Blocks come every few seconds at the slowest. */
const MAX_STALL_MS = 180_000;

export interface MigrationDeps extends StepDeps {
  /** Asked before data are deleted; false ends the run with nothing deleted. */
  readonly agree: (journal: Journal) => Promise<boolean>;
  /** Told when a step has been done. */
  readonly onStep: (step: StepName, detail: string) => void;
  /** Told what the preflight has found. */
  readonly onChecks: (checks: readonly Check[]) => void;
}

export interface MigrationOptions {
  readonly wish: PreflightWish;
  /** Without progress for so long the sync is given up, to be tried again. */
  readonly syncLimitMs: number;
  /** SHA-256 of the manifest without which nothing is deleted: of this migration's backup, or an earlier one of it. */
  readonly approvedBackup?: string;
}

const SIMPLE_STEPS: Readonly<Partial<Record<StepName, Step>>> = {
  stop: stopStep,
  ...DATA_STEPS,
  start: startStep,
};
/** While these run nobody may have the home open. */
const LOCKED_STEPS: readonly StepName[] = ['backup', 'wipe', 'init', 'configure', 'restore', 'seal'];

/** `chaind migrate evm-split`: the procedure of spec M-2, step by step or whole. One at a time has a home's migration. */
export class Migration {
  readonly #options: MigrationOptions;
  readonly #deps: MigrationDeps;

  constructor(options: MigrationOptions, deps: MigrationDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get #home(): string {
    return this.#deps.access.home;
  }

  status(): Promise<Journal | undefined> {
    return readJournal(this.#home);
  }

  /** Goes on where the journal stands, to the end. Throws MIGRATE_…; run again, it goes on. */
  run(): Promise<MigrationReport | 'declined'> {
    return this.#locked(async () => {
      let journal = await readJournal(this.#home);
      if (journal?.outcome !== 'running') journal = await this.#preflight();
      else journal = withNewWish(journal, this.#options.wish);
      if (!isDone(journal, 'wipe') && !(await this.#deps.agree(journal))) return 'declined';
      journal = await this.#stopAgain(journal);
      for (const step of STEPS) {
        if (step !== 'verify' && !isDone(journal, step)) journal = await this.#step(step, journal);
      }
      return this.#verify(journal);
    });
  }

  /** One step. What comes behind it in the procedure counts as not done any more. */
  runStep(step: StepName): Promise<MigrationReport | 'declined' | undefined> {
    return this.#locked(async () => {
      const found = await readJournal(this.#home);
      if (step === 'preflight') {
        if (found?.outcome === 'running' && !this.#isOver(found)) await this.#refreshPreflight(found);
        else await this.#preflight();
        return undefined;
      }
      const journal = withNewWish(requireRunning(found, step), this.#options.wish);
      requireOrder(journal, step);
      if (step === 'verify') return this.#verify(journal);
      if (step === 'wipe' && !(await this.#deps.agree(journal))) return 'declined';
      await this.#step(step, takenBackTo(journal, step));
      return undefined;
    });
  }

  abort(): Promise<string> {
    return this.#locked(async () => {
      const journal = requireRunning(await readJournal(this.#home), 'abort');
      if (journal.steps.start !== undefined && isDone(journal, 'start')) {
        throw migrationErrors.abort(
          'the node has been started in its new layout; going back is another state sync with evm-ss-split = false, as docs/guides/migration.md tells',
        );
      }
      const detail = await abortMigration(journal, this.#deps);
      await writeJournal(this.#home, { ...journal, outcome: 'aborted' });
      const started = await startAgain(journal, this.#deps);
      return started === undefined ? detail : `${detail}; ${started}`;
    });
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const { root } = migrationPlaces(this.#home);
    await mkdir(root, { recursive: true, mode: 0o700 });
    const lock = lockDirectory(root);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  async #preflight(): Promise<Journal> {
    const { checks, journal } = await preflight(this.#options.wish, this.#deps);
    this.#deps.onChecks(checks);
    if (!journal) throw preflightFailed(checks);
    const passed = withStep(journal, 'preflight', 'done', `${checks.length} checks passed`);
    await writeJournal(this.#home, passed);
    this.#deps.onStep('preflight', `${checks.length} checks passed`);
    return passed;
  }

  /** Another one that was sealed has put all back in its place; only its verification is missing. */
  #isOver(found: Journal): boolean {
    const { id } = this.#options.wish;
    return id !== undefined && id !== found.id && isDone(found, 'seal');
  }

  /** Before anything is deleted a preflight begins anew; behind that there is nothing left to look at. */
  async #refreshPreflight(journal: Journal): Promise<void> {
    if (journal.steps.wipe !== undefined) {
      throw migrationErrors.order(
        `migration ${journal.id} has deleted data already; go on with "chaind migrate evm-split", or give it up with the step "abort"`,
      );
    }
    const { checks, journal: next } = await preflight(this.#options.wish, this.#deps);
    this.#deps.onChecks(checks);
    if (!next) throw preflightFailed(checks);
    const detail = `${checks.length} checks passed`;
    await writeJournal(
      this.#home,
      withStep({ ...next, id: this.#options.wish.id ?? journal.id }, 'preflight', 'done', detail),
    );
    this.#deps.onStep('preflight', detail);
  }

  /** A service manager may have started the node again behind our back. */
  async #stopAgain(journal: Journal): Promise<Journal> {
    if (!isDone(journal, 'stop') || isDone(journal, 'start') || isDone(journal, 'seal')) return journal;
    const status = await this.#deps.control.status();
    if (status === undefined || status.phase === 'parked') return journal;
    return this.#step('stop', journal);
  }

  async #step(name: StepName, journal: Journal): Promise<Journal> {
    if (LOCKED_STEPS.includes(name)) refuseWhileUsed(this.#home, journal.wipe.emptied);
    if (name === 'wipe') requireApproved(journal, this.#options.approvedBackup);
    const begun = withStep(journal, name, 'started');
    await writeJournal(this.#home, begun);
    const { detail, changes } = await SIMPLE_STEPS[name]!(begun, this.#deps);
    const done = withStep({ ...begun, ...changes, ...digestsOf(begun, changes) }, name, 'done', detail);
    await writeJournal(this.#home, done);
    this.#deps.onStep(name, detail);
    return done;
  }

  async #verify(journal: Journal): Promise<MigrationReport> {
    await awaitSync(this.#deps, this.#options.syncLimitMs);
    const checks = await verifyNode(journal, {
      ...this.#deps,
      home: this.#home,
      stallLimitMs: Math.min(this.#options.syncLimitMs, MAX_STALL_MS),
    });
    const verified = checks.every(({ ok }) => ok);
    const detail = verified ? 'every check is ok' : 'something differs';
    const done = withStep(journal, 'verify', verified ? 'done' : 'started', detail);
    const { report: place } = migrationPlaces(this.#home);
    const report = createReport(done, checks, place(journal.id, 'md'));
    await writeFileDurably(place(journal.id, 'json'), `${JSON.stringify(report, null, 2)}\n`, 0o644);
    await writeFileDurably(place(journal.id, 'md'), reportPage(report), 0o644);
    if (verified) await this.#deps.access.endStateSync();
    await writeJournal(this.#home, verified ? { ...done, outcome: 'migrated' } : done);
    if (verified) this.#deps.onStep('verify', detail);
    return report;
  }
}

function withStep(journal: Journal, name: StepName, state: 'started' | 'done', detail?: string): Journal {
  const record = { state, at: new Date().toISOString(), ...(detail !== undefined && { detail }) };
  return { ...journal, steps: { ...journal.steps, [name]: record } };
}

function digestsOf({ digests = [] }: Journal, changes: Partial<Journal> = {}): Partial<Journal> {
  const digest = changes.backup?.digest;
  return digest === undefined || digests.includes(digest) ? {} : { digests: [...digests, digest] };
}

/** A later backup of the same migration holds what an earlier one held, and what was signed since. */
function requireApproved({ digests = [], backup }: Journal, approved: string | undefined): void {
  if (approved === undefined || backup?.digest === approved || digests.includes(approved)) return;
  throw migrationErrors.backup(
    `the backup that was approved has the digest ${approved}, and this migration made ${[...digests].join(', ') || 'none'}; nothing was deleted: run the step "backup" and approve what it gives`,
    { approved },
  );
}

function requireRunning(journal: Journal | undefined, step: string): Journal {
  if (journal?.outcome === 'running') return journal;
  const what = journal ? `migration ${journal.id} has ended: ${journal.outcome}` : 'no migration has begun';
  throw migrationErrors.none(`${what}, so there is no "${step}" to do; begin with the step "preflight"`);
}

function requireOrder(journal: Journal, step: StepName): void {
  const missing = STEPS.slice(0, STEPS.indexOf(step)).find((before) => !isDone(journal, before));
  if (missing === undefined) return;
  throw migrationErrors.order(
    `"${step}" comes behind "${missing}", which has not been done; run that first, or "chaind migrate evm-split" to go on from there`,
    { step, missing },
  );
}

/** While the keys may lie in the backup only, what has been deleted stays on record. */
function takenBackTo(journal: Journal, step: StepName): Journal {
  const at = STEPS.indexOf(step);
  if (isBetweenWipeAndSeal(journal) && at < STEPS.indexOf('wipe')) return journal;
  const kept = STEPS.slice(0, at + 1).flatMap((name) => {
    const record = journal.steps[name];
    return record ? [[name, record] as const] : [];
  });
  return { ...journal, steps: Object.fromEntries(kept) };
}
