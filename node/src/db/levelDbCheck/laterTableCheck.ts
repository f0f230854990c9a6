import { Worker } from 'node:worker_threads';
import { CodedError, type Logger } from '@chain/platform';
import { damaged } from './checkLevelDb.ts';
import type { TableCheckJob, TableCheckReply } from './tableCheckThread.ts';

/** A twentieth of a core, and little beside what a disk can read. */
const BYTES_PER_SECOND = 64 << 20;

/** What became of the tables that were not checked before the database opened. */
export interface TableCheckOutcome {
  readonly directory: string;
  /** Tables that are whole, and their bytes. */
  readonly tables: number;
  readonly bytes: number;
  /** DB_DAMAGED naming the first table that is not, or DB_CHECK_FAILED: the rest could not be read. */
  readonly failure?: CodedError;
}

interface Events {
  readonly onDone: (outcome: TableCheckOutcome) => void;
}

/** Checks tables on a thread, slowly, while the database is used. */
export class LaterTableCheck {
  readonly #worker: Worker;

  constructor(directory: string, tables: readonly string[], { onDone }: Events) {
    const workerData: TableCheckJob = { tables, bytesPerSecond: BYTES_PER_SECOND };
    this.#worker = new Worker(new URL('./tableCheckThread.ts', import.meta.url), {
      workerData,
      name: 'leveldb-check',
    });
    this.#worker.unref();
    this.#worker.once('message', ({ damage, ...done }: TableCheckReply) => {
      const failure = damage && damaged(directory, damage.path, damage.offset);
      onDone({ directory, ...done, ...(failure && { failure }) });
    });
    this.#worker.once('error', (cause) => {
      onDone({ directory, tables: 0, bytes: 0, failure: checkFailed(directory, cause) });
    });
  }

  /** Nobody is told of anything any more. */
  async stop(): Promise<void> {
    this.#worker.removeAllListeners('message');
    await this.#worker.terminate();
  }
}

/** For `DbOptions.onTablesChecked`. */
export function logTableCheck(logger: Logger): (outcome: TableCheckOutcome) => void {
  return ({ failure: error, ...outcome }) => {
    if (error?.code === 'DB_DAMAGED') {
      logger.error('A database is damaged; it answers nothing any more', { ...outcome, error });
    } else if (error)
      logger.warn('The older tables of a database could not be checked', { ...outcome, error });
    else logger.info('The older tables of a database are whole', { ...outcome });
  };
}

function checkFailed(directory: string, cause: Error): CodedError {
  return new CodedError(
    'DB_CHECK_FAILED',
    `the older tables of "${directory}" could not be checked: ${cause.message}; check the disk`,
    { fields: { directory }, cause },
  );
}
