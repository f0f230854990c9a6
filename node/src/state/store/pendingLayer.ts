/** A write that is readable but not yet in the database. `id` is the row of the key's head as latin1. */
export interface StagedWrite {
  readonly id: string;
  readonly row: Uint8Array;
  readonly value: Uint8Array | null;
}

export interface StagedBlock {
  readonly version: number;
  readonly writes: readonly StagedWrite[];
}

interface PendingValue {
  readonly version: number;
  readonly value: Uint8Array | null;
}

/** Blocks on their way to the database, readable by key and version; blocks come and go in order. */
export class PendingLayer {
  readonly #blocks: StagedBlock[] = [];
  readonly #values = new Map<string, PendingValue[]>();

  add(block: StagedBlock): void {
    this.#blocks.push(block);
    for (const { id, value } of block.writes) {
      const values = this.#values.get(id);
      if (values) values.push({ version: block.version, value });
      else this.#values.set(id, [{ version: block.version, value }]);
    }
  }

  /** The newest value at or below `version`, `null` when deleted, `undefined` when the database must be asked. */
  get(id: string, version: number): Uint8Array | null | undefined {
    const values = this.#values.get(id);
    return values?.findLast((candidate) => candidate.version <= version)?.value;
  }

  /** Waiting blocks up to `version`, oldest first. */
  upTo(version: number): readonly StagedBlock[] {
    return this.#blocks.filter((block) => block.version <= version);
  }

  /** Forgets blocks that the database holds now. */
  drop(version: number): void {
    const count = this.upTo(version).length;
    for (const block of this.#blocks.splice(0, count)) {
      for (const { id } of block.writes) {
        const values = this.#values.get(id);
        if (values === undefined) continue;
        if (values.length === 1) this.#values.delete(id);
        else values.shift();
      }
    }
  }

  /** What every key whose id begins with `prefix` holds at `version`, as far as it is known here. */
  valuesAt(prefix: string, version: number): Map<string, Uint8Array | null> {
    const found = new Map<string, Uint8Array | null>();
    for (const id of this.#values.keys()) {
      if (!id.startsWith(prefix)) continue;
      const value = this.get(id, version);
      if (value !== undefined) found.set(id, value);
    }
    return found;
  }
}
