import { type CodedError, isCodedError, type Logger } from '@chain/platform';
import { bytesToHex } from '../../../primitives/index.ts';
import type { SnapshotDescription } from '../description.ts';
import { ImportPipeline } from './importPipeline.ts';
import { interruptedRestore, type RestoreJournal, writeJournal } from './restoreJournal.ts';
import {
  type RestoreTarget,
  refuseOccupied,
  removeDirectories,
  restoredDirectories,
} from './restoreTarget.ts';
import type { ImportPosition } from './threadMessages.ts';

/** Uncompressed bytes between two positions in the journal: a second or two of work that an interruption costs. */
const CHECKPOINT_BYTES = 64 << 20;

export interface RestoreOptions {
  readonly target: RestoreTarget;
  /** Names of all stores of the state. */
  readonly stores: readonly string[];
  /** What the trees must come to: from a light client, an operator, or the snapshot's own restore point. */
  readonly appHash: Uint8Array;
  /** Uncompressed bytes between two positions that are noted. */
  readonly checkpointBytes?: number;
}

export interface RestoreDeps {
  /** Makes the history begin where the restored state does; it is closed again when it resolves. */
  readonly beginHistory: (height: number) => Promise<void>;
  readonly logger: Logger;
}

export interface OpenedImport {
  readonly pipeline: ImportPipeline;
  readonly resumedRows: number;
}

/** Goes on with an interrupted restore of the same snapshot; `undefined` when there is none, or it cannot. */
export async function goOnWithImport(
  description: SnapshotDescription,
  options: RestoreOptions,
  { logger }: RestoreDeps,
): Promise<OpenedImport | undefined> {
  const { target } = options;
  const found = interruptedRestore(target.home);
  if (found === undefined) return undefined;
  const { position, directories } = found;
  let why = 'it had not come far enough';
  if (found.identity !== identityOf(description, options)) why = 'it was of another snapshot or layout';
  else if (position !== undefined) {
    removeDirectories([target.flatKv, target.history]);
    const pipeline = createPipeline(description, options, position);
    try {
      await pipeline.ready();
      const { rows } = position;
      logger.info('An interrupted restore goes on', { height: description.height, rows });
      return { pipeline, resumedRows: rows };
    } catch (error) {
      await pipeline.close();
      if (!isLost(error)) throw error;
      why = error.message;
    }
  }
  logger.warn('An interrupted restore is removed, to start over', { home: target.home, why });
  // What it was filling, which the settings of today need not name any more.
  removeDirectories(directories);
  return undefined;
}

export async function beginImport(
  description: SnapshotDescription,
  options: RestoreOptions,
): Promise<OpenedImport> {
  const { target } = options;
  refuseOccupied(target);
  await writeJournal(target.home, journalOf(description, options));
  removeDirectories(restoredDirectories(target));
  return { pipeline: createPipeline(description, options), resumedRows: 0 };
}

/** What was left does not bear going on; another try over the same would fail the same way. */
function isLost(error: unknown): error is CodedError {
  return isCodedError(error) && ['STATE_COMMIT_IMPORT_POSITION', 'DB_DAMAGED'].includes(error.code);
}

function identityOf({ height, hash: snapshot }: SnapshotDescription, options: RestoreOptions): string {
  const { backend, split, separateDbs } = options.target;
  const directories = restoredDirectories(options.target);
  const whole = { height, snapshot: bytesToHex(snapshot), stores: options.stores, directories };
  return JSON.stringify({ ...whole, backend, split, separateDbs });
}

function journalOf(description: SnapshotDescription, options: RestoreOptions): RestoreJournal {
  return {
    height: description.height,
    directories: restoredDirectories(options.target),
    identity: identityOf(description, options),
  };
}

function createPipeline(
  description: SnapshotDescription,
  options: RestoreOptions,
  from?: ImportPosition,
): ImportPipeline {
  const { target, stores, checkpointBytes = CHECKPOINT_BYTES } = options;
  const { home, backend, split, separateDbs, base, evm } = target;
  const { height: version } = description;
  const journal = journalOf(description, options);
  return new ImportPipeline({
    commit: { directory: target.commit, version, stores },
    store: { home, backend, split, separateDbs, baseDirectory: base, evmDirectory: evm, version },
    ...(from && { from }),
    checkpointBytes,
    note: (position) => writeJournal(home, { ...journal, position }),
  });
}
