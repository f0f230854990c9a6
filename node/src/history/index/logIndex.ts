import type { Logger } from '@chain/platform';
import type { KeyValueDb } from '../../db/index.ts';
import type { PatternItems } from '../logs/logItems.ts';
import { itemsOfRecord } from '../record/logScanner.ts';
import type { Extent } from '../rows.ts';
import {
  bucketOf,
  firstHeightOf,
  MemorySection,
  OffsetSet,
  readBucket,
  SECTION_HEIGHTS,
  sectionOf,
} from './section.ts';
import { bucketKey, deleteSection, readMark, writeSection } from './sectionRows.ts';

export interface LogIndexDeps {
  readonly db: KeyValueDb;
  readonly logger: Logger;
}

/** More sections than this wait for the disk: whoever appends waits for them. */
const MAX_SEALING = 2;
const KEYS_PER_READ = 512;

/**
 * At which heights an address or a topic occurs. The newest section grows in memory; once its last height is there
 * it is written as a whole. All of it can be made again from the block records.
 */
export class LogIndex {
  readonly #db: KeyValueDb;
  readonly #logger: Logger;
  /** Bucket bits of each section on disk. */
  readonly #onDisk = new Map<number, number>();
  readonly #sealing = new Map<number, MemorySection>();
  #open: MemorySection;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: { readonly nextHeight: number }, deps: LogIndexDeps) {
    this.#db = deps.db;
    this.#logger = deps.logger;
    this.#open = new MemorySection(sectionOf(options.nextHeight));
  }

  /** Takes the next block. */
  add(height: number, encoded: Uint8Array): void {
    this.#open.add(height, itemsOfRecord(encoded));
    if (sectionOf(height + 1) === this.#open.section) return;
    this.#seal(this.#open);
    this.#open = new MemorySection(sectionOf(height + 1));
  }

  /** Resolves when not too many sections wait for the disk. */
  async room(): Promise<void> {
    if (this.#sealing.size > MAX_SEALING) await this.#writing;
  }

  /** Resolves when every whole section is on disk. */
  flush(): Promise<void> {
    return this.#writing;
  }

  /** Whether a section is on disk; looks once. */
  isOnDisk(section: number): boolean {
    if (this.#onDisk.has(section)) return true;
    const bits = readMark(this.#db, section);
    if (bits === undefined) return false;
    this.#onDisk.set(section, bits);
    return true;
  }

  /** Goes on at a height whose section begins anew: what memory had of it is dropped. */
  restartAt(height: number): void {
    this.#open = new MemorySection(sectionOf(height));
  }

  /** Removes the sections below the one that holds `height`. */
  async pruneBefore(height: number, from: number): Promise<void> {
    await this.#writing;
    for (let section = sectionOf(from); section < sectionOf(height); section++) await this.#delete(section);
  }

  /** Removes every section with a height above; the caller adds the last section's other blocks again. */
  async rewind(height: number, last: number): Promise<void> {
    await this.#writing;
    for (let section = sectionOf(height + 1); section <= sectionOf(last); section++)
      await this.#delete(section);
    this.restartAt(height + 1);
  }

  /** The heights of an extent that may hold a log with one of each position's items, ascending, in groups. */
  async *heights({ first, last }: Extent, items: PatternItems): AsyncGenerator<readonly number[]> {
    const perSection = items.reduce((sum, alternatives) => sum + alternatives.length, 0);
    const group = perSection === 0 ? 1 : Math.max(1, Math.floor(KEYS_PER_READ / perSection));
    for (let section = sectionOf(first); section <= sectionOf(last); section += group) {
      const end = Math.min(section + group - 1, sectionOf(last));
      const sets = await this.#find(section, end, items);
      const heights = sets.flatMap((set, i) => heightsOf(section + i, set));
      yield heights.filter((height) => height >= first && height <= last);
    }
  }

  /** For each section the offsets where all positions have an item; `undefined`: any. */
  async #find(first: number, last: number, items: PatternItems): Promise<(OffsetSet | undefined)[]> {
    const keys: Uint8Array[] = [];
    const plans = Array.from({ length: last - first + 1 }, (_, i) =>
      items.length === 0 ? () => undefined : this.#plan(first + i, items, keys),
    );
    const rows = keys.length > 0 ? await this.#db.getMany(keys) : [];
    return plans.map((plan) => plan(rows));
  }

  /** Looks into memory at once; what is on disk is asked for by `keys`, and looked into once the rows are there. */
  #plan(section: number, items: PatternItems, keys: Uint8Array[]) {
    const memory = this.#open.section === section ? this.#open : this.#sealing.get(section);
    if (memory) {
      const sets = items.map((alternatives) => {
        const set = new OffsetSet();
        memory.find(alternatives, set);
        return set;
      });
      return () => intersection(sets);
    }
    const bits = this.#onDisk.get(section);
    // A section that could not be written: its blocks are looked into one by one.
    if (bits === undefined) return () => undefined;
    const start = keys.length;
    for (const item of items.flat()) keys.push(bucketKey(section, bits, bucketOf(item, bits)));
    return (rows: readonly (Uint8Array | undefined)[]) => {
      let at = start;
      return intersection(
        items.map((alternatives) => {
          const set = new OffsetSet();
          for (const item of alternatives) {
            const row = rows[at++];
            if (row) readBucket(row, item, set);
          }
          return set;
        }),
      );
    };
  }

  #seal(memory: MemorySection): void {
    this.#sealing.set(memory.section, memory);
    this.#writing = this.#writing.then(async () => {
      try {
        this.#onDisk.set(memory.section, await writeSection(this.#db, memory));
        this.#sealing.delete(memory.section);
      } catch (error) {
        // Nothing is lost: it stays in memory, and the next start makes it from the records.
        this.#logger.warn('a section of the log index could not be written', {
          section: memory.section,
          error,
        });
      }
    });
  }

  async #delete(section: number): Promise<void> {
    this.#onDisk.delete(section);
    this.#sealing.delete(section);
    await deleteSection(this.#db, section);
  }
}

function intersection([first, ...rest]: readonly OffsetSet[]): OffsetSet | undefined {
  for (const other of rest) first?.intersect(other);
  return first;
}

function heightsOf(section: number, set: OffsetSet | undefined): number[] {
  const first = firstHeightOf(section);
  const offsets = set?.offsets() ?? Array.from({ length: SECTION_HEIGHTS }, (_, offset) => offset);
  return offsets.map((offset) => first + offset);
}
