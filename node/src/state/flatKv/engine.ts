import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { type DbOptions, openLevelDb } from '../../db/index.ts';
import type { BlockChanges } from '../../types/index.ts';
import { FlatDatabase } from './flatDatabase.ts';
import { latticeHash, sumOf } from './latticeSum.ts';
import { LtHasher } from './ltHasher.ts';
import { blockRows } from './rows/blockRows.ts';
import { DATABASES, type DatabaseName } from './rows/physicalKey.ts';

const CACHE_BYTES = 16 << 20;

/** Which tables are checked when, and who is told. */
export type TableChecks = Pick<DbOptions, 'bytesCheckedAtOpen' | 'onTablesChecked'>;

export interface ApplyOptions {
  /** Resolve only once this and every earlier version outlive a power loss. */
  readonly sync?: boolean;
  /** The change set is one more part of a version that the databases have begun (a rebuild). */
  readonly again?: boolean;
  /** The version lies below that of the databases, and the change set is what it had of all that changed since. */
  readonly rewind?: boolean;
}

/** The four databases as one store, on the calling thread. Versions go up; one call at a time. */
export class FlatKvEngine {
  readonly #databases: ReadonlyMap<DatabaseName, FlatDatabase>;
  #durableVersion = 0;

  private constructor(databases: ReadonlyMap<DatabaseName, FlatDatabase>) {
    this.#databases = databases;
  }

  /** Opens or creates the databases below `directory`. A failure closes what it opened. Throws DB_…, FLATKV_META_DAMAGED. */
  static async open(directory: string, checks: TableChecks = {}): Promise<FlatKvEngine> {
    const hasher = new LtHasher();
    const databases = new Map<DatabaseName, FlatDatabase>();
    try {
      for (const name of DATABASES) {
        const options = { directory: join(directory, name), cacheBytes: CACHE_BYTES, ...checks };
        const db = await openLevelDb(options);
        databases.set(name, await FlatDatabase.open(db, hasher));
      }
      return new FlatKvEngine(databases);
    } catch (error) {
      for (const database of databases.values()) await database.close();
      throw error;
    }
  }

  /** What all four have; one that is ahead waits for the others. */
  get version(): number {
    return Math.min(...this.#each(({ state }) => state.version));
  }

  /** What at least one of them has. */
  get newestVersion(): number {
    return Math.max(...this.#each(({ state }) => state.version));
  }

  /** The newest version that is known to outlive a power loss; 0 until the first synced one. */
  get durableVersion(): number {
    return this.#durableVersion;
  }

  /** Of the sum of all rows, 32 bytes. Only with all four at one version is it that version's. */
  get hash(): Uint8Array {
    return latticeHash(sumOf(this.#each(({ state }) => state.sum)));
  }

  /**
   * Blocks that follow one another, written as one. A database that has a version already passes over it, so that a
   * replay from the lowest version is right for all. Throws FLATKV_VALUE_LENGTH, FLATKV_STORE_NAME before anything is
   * written; FLATKV_GAP, DB_FAILED.
   */
  async apply(blocks: readonly BlockChanges[], options: ApplyOptions = {}): Promise<void> {
    if (!options.again) this.#requireNext(blocks[0]!.version);
    const all = blocks.map((changes) => ({ version: changes.version, rows: blockRows(changes) }));
    const written = [...this.#databases].map(([name, database]) =>
      database.apply(
        all.map(({ version, rows }) => ({ version, modules: rows[name] })),
        options,
      ),
    );
    // All end before a failure is reported: nobody writes behind a closed store.
    const failed = (await Promise.allSettled(written)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    if (options.sync) this.#durableVersion = blocks.at(-1)!.version;
  }

  async close(): Promise<void> {
    for (const database of this.#databases.values()) await database.close();
  }

  #requireNext(version: number): void {
    const present = this.version;
    if (present === 0 || version <= present + 1) return;
    throw new CodedError(
      'FLATKV_GAP',
      `FlatKV is at version ${present} and cannot take version ${version}; restart the node, it recovers from the changelog`,
      { fields: { present, version } },
    );
  }

  #each<T>(read: (database: FlatDatabase) => T): T[] {
    return [...this.#databases.values()].map(read);
  }
}
