import type { KnownKey, StagedWrite } from './keyTable.ts';

export interface StagedBlock {
  readonly version: number;
  readonly writes: readonly StagedWrite[];
}

/** Makes a write readable, and keeps its key in the table. */
export function stageWrite(key: KnownKey, write: Omit<StagedWrite, 'key' | 'older'>): StagedWrite {
  const { row, version, value } = write;
  const staged = { key, row, version, value, older: key.newest };
  key.newest = staged;
  return staged;
}

/** The newest waiting write to a key at or below `version`. */
export function waitingWrite(key: KnownKey, version: number): StagedWrite | undefined {
  let write = key.newest;
  while (write !== undefined && write.version > version) write = write.older;
  return write;
}

/** Blocks on their way to the database: first staged, then taken into a batch, then dropped; in order. */
export class StagedBlocks {
  readonly #blocks: StagedBlock[] = [];
  #taken = 0;

  add(block: StagedBlock): void {
    this.#blocks.push(block);
  }

  /** Blocks up to `version` that were not taken before, oldest first. */
  take(version: number): readonly StagedBlock[] {
    const first = this.#taken;
    while (this.#taken < this.#blocks.length && this.#blocks[this.#taken]!.version <= version) this.#taken++;
    return this.#blocks.slice(first, this.#taken);
  }

  /** Forgets taken blocks up to `version`, which the database holds now. */
  drop(version: number): void {
    let count = 0;
    while (count < this.#taken && this.#blocks[count]!.version <= version) count++;
    this.#taken -= count;
    for (const { writes } of this.#blocks.splice(0, count)) {
      for (const write of writes) {
        // A newer write may still point here: the chain ends with it.
        write.older = undefined;
        if (write.key.newest === write) write.key.newest = undefined;
      }
    }
  }

  /** What every key whose id begins with `prefix` holds at `version`, as far as it is known here. */
  valuesAt(prefix: string, version: number): Map<string, Uint8Array | null> {
    const found = new Map<string, Uint8Array | null>();
    for (const block of this.#blocks) {
      if (block.version > version) break;
      for (const { key, value } of block.writes) if (key.id.startsWith(prefix)) found.set(key.id, value);
    }
    return found;
  }
}
