import { readFile } from 'node:fs/promises';
import { parseJson, writeFileDurably } from '@chain/platform';
import type { BackupRecord } from './backup/manifest.ts';
import { migrationPlaces } from './layout.ts';
import { migrationErrors } from './migrationErrors.ts';
import type { Trust } from './trust/resolveTrust.ts';
import type { WipePlan } from './wipe/planWipe.ts';

/** In the order of the procedure (spec M-2); each can be run again. */
export const STEPS = [
  'preflight',
  'stop',
  'backup',
  'wipe',
  'init',
  'configure',
  'restore',
  'seal',
  'start',
  'verify',
] as const;
export type StepName = (typeof STEPS)[number];

/** What the operator wants; kept, so that a step that is run later need not be told again. */
export interface MigrationWish {
  readonly trustedRpcs: readonly string[];
  readonly allowSingleRpc: boolean;
  readonly delta: number;
  readonly backend: string;
  /** `id@host:port`, beside those that are found. */
  readonly peers: readonly string[];
  readonly assumeSnapshots: boolean;
  /** Shell commands that stop and start the node; without them its control socket does. */
  readonly stopCommand?: string;
  readonly startCommand?: string;
  /** Back into one store, where the node has the split. */
  readonly into?: 'single';
  /** No node may start between `stop` and `seal`, also while no step runs. */
  readonly hold?: boolean;
  /** Whole backups that the home keeps, this migration's among them; three. */
  readonly keepBackups?: number;
  /** So many times other peers and another first server are taken than at first. */
  readonly rotate?: number;
}

export interface StepRecord {
  readonly state: 'started' | 'done';
  /** ISO 8601. */
  readonly at: string;
  readonly detail?: string;
}

/** `<home>/migration/journal.json`: what has been done, written before and after each step. */
export interface Journal {
  readonly format: 1;
  readonly id: string;
  readonly outcome: 'running' | 'migrated' | 'aborted';
  readonly startedAt: string;
  readonly wish: MigrationWish;
  readonly before: {
    readonly chainId: string;
    readonly moniker: string;
    readonly backend: string;
    readonly split: boolean;
    readonly trustPeriodMs: number;
  };
  readonly trust: Trust;
  /** Persistent peers that were found, `id@host:port`. */
  readonly peers: readonly string[];
  /** What a wipe takes: the settings that say so are among it. */
  readonly wipe: WipePlan;
  /** A wipe believes in no other backup. */
  readonly backup?: BackupRecord & { readonly number: number };
  /** Digests of this and all earlier backups of the migration. */
  readonly digests?: readonly string[];
  /** The process whose start is waited for must have begun after this: ISO 8601. */
  readonly sealedAt?: string;
  /** Pid of a node that stands by until it is told to start again. */
  readonly parkedPid?: number;
  readonly steps: Readonly<Partial<Record<StepName, StepRecord>>>;
}

/** `undefined` when there has never been a migration. Throws MIGRATE_JOURNAL: a guess here could lose keys. */
export async function readJournal(home: string): Promise<Journal | undefined> {
  const { journal: path } = migrationPlaces(home);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    // Where the home itself is no directory there is no journal either; whoever uses the home says so.
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw unreadable(path, cause);
  }
  try {
    const journal = parseJson(text) as Journal;
    if (journal.format === 1 && typeof journal.id === 'string' && typeof journal.steps === 'object') {
      return journal;
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

export async function writeJournal(home: string, journal: Journal): Promise<void> {
  await writeFileDurably(migrationPlaces(home).journal, `${JSON.stringify(journal, null, 2)}\n`);
}

export const isDone = (journal: Journal, step: StepName): boolean => journal.steps[step]?.state === 'done';

/** Whoever started the migration wants no node to start until it is sealed or aborted. */
export const isHeld = (journal: Journal): boolean =>
  journal.wish.hold === true && isDone(journal, 'stop') && !isDone(journal, 'seal');

/** Data may be gone, and identity files may lie in the backup only. */
export function isBetweenWipeAndSeal(journal: Journal | undefined): boolean {
  return journal?.outcome === 'running' && journal.steps.wipe !== undefined && !isDone(journal, 'seal');
}

function unreadable(path: string, cause?: unknown) {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  const remedy =
    code === 'EACCES' || code === 'EPERM'
      ? `(${code}); give the home to the user that the program runs as`
      : 'as the journal of a migration; put it back from a copy, or, after a look at the backups beside it, move it away';
  return migrationErrors.journal(`${path} cannot be read ${remedy}`, { path }, cause);
}
