import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchOperation } from '../../../db/index.ts';
import { extendHistory, valueAt } from '../keyHistory.ts';
import { headPrefix, headRow } from '../rowKey.ts';
import { Pace } from './pace.ts';
import { pruneHistory } from './pruneHistory.ts';
import { rewindHistory } from './rewindHistory.ts';
import { versionsAbove } from './versionsAbove.ts';

const ROW = headRow(headPrefix('evm'), Uint8Array.of(1));
/** So small that a handful of versions makes pages, and a few hundred make pages of pages. */
const LAYOUT = { tailBytes: 8, inlineBytes: 3 };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** One key in rows, as a database would hold it, beside the list of what was written. */
class OneKey {
  readonly rows = new Map<string, Uint8Array>();
  readonly model = new Map<number, Uint8Array | null>();
  head: Uint8Array | undefined;
  version = 0;
  floor = 0;

  readonly read = (row: Uint8Array): Uint8Array | undefined => this.rows.get(hex(row));

  write(gap: number, value: Uint8Array | null): void {
    this.version += gap;
    const operations: BatchOperation[] = [];
    const write = { row: ROW, version: this.version, value };
    this.head = extendHistory(this.head, write, operations, LAYOUT) ?? this.head;
    this.#apply(operations);
    this.model.set(this.version, value);
  }

  async prune(floor: number): Promise<void> {
    if (floor <= this.floor) return;
    this.floor = floor;
    if (this.head) await this.#edit((edit) => pruneHistory(this.head!, ROW, floor, edit));
  }

  async rewind(version: number): Promise<void> {
    if (this.head) await this.#edit((edit) => rewindHistory(this.head!, ROW, version, edit));
    this.version = version;
    for (const own of this.model.keys()) if (own > version) this.model.delete(own);
  }

  at(version: number): Uint8Array | undefined {
    return this.head && valueAt(this.head, ROW, version, this.read);
  }

  expected(version: number): Uint8Array | undefined {
    const own = [...this.model.keys()].filter((each) => each <= version).at(-1);
    return own === undefined ? undefined : (this.model.get(own) ?? undefined);
  }

  async #edit(work: (edit: Parameters<typeof rewindHistory>[3]) => unknown): Promise<void> {
    const operations: BatchOperation[] = [];
    const head = await work({ read: this.read, operations, pace: new Pace() });
    if (head !== undefined) this.head = (head as Uint8Array | null) ?? undefined;
    this.#apply(operations);
  }

  #apply(operations: readonly BatchOperation[]): void {
    for (const operation of operations) {
      if (operation.type === 'put') this.rows.set(hex(operation.key), operation.value);
      else this.rows.delete(hex(operation.key));
    }
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      times: fc.integer({ min: 1, max: 40 }),
      gap: fc.integer({ min: 1, max: 3 }),
      value: fc.option(fc.uint8Array({ maxLength: 6 }), { freq: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('prune' as const),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

async function play(key: OneKey, each: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const reachable = key.version - key.floor;
  if (each.kind === 'prune') await key.prune(key.floor + Math.round(each.part * reachable));
  else if (each.kind === 'rewind')
    await key.rewind(Math.max(key.floor, key.version - Math.round(each.part * reachable)));
  else {
    for (let i = 0; i < each.times; i++) {
      const value = each.value && i % 5 === 4 ? null : each.value;
      key.write(each.gap, value && Uint8Array.of(i, ...value));
    }
  }
}

describe('the history of one key', () => {
  it('answers at and above the floor as a list of all writes does, after any prunes and rewinds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const key = new OneKey();
        for (const each of steps) {
          await play(key, each);
          for (let version = key.floor; version <= key.version; version++) {
            expect(key.at(version)).toEqual(key.expected(version));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves no row behind that the head does not need: a prune to the newest version leaves the head alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const key = new OneKey();
        for (const each of steps) await play(key, each);
        await key.prune(key.version);
        await key.prune(key.version + 1);
        const value = key.expected(key.version);
        expect(key.rows.size).toBe(0);
        expect(key.head === undefined).toBe(value === undefined);
      }),
      { numRuns: 200 },
    );
  });

  it('lists every version above a floor', async () => {
    const key = new OneKey();
    for (let i = 0; i < 500; i++) key.write(2, Uint8Array.of(i & 255, i >> 8));
    await key.prune(333);
    const versions: number[] = [];
    for await (const version of versionsAbove(key.head!, ROW, 333, { read: key.read, pace: new Pace() })) {
      versions.push(version);
    }
    expect(versions).toEqual(Array.from({ length: 334 }, (_, i) => 1000 - 2 * i));
  });
});
