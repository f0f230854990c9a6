import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { compareBytes, sha256, utf8 } from '../../primitives/index.ts';
import type { BlockChanges, KeyChange } from '../../types/index.ts';
import { type Changelog, openChangelog } from '../changelog/index.ts';
import { EMPTY_STATE, type FrozenRows, type KeyRange, Overlay, type RangeReads } from '../view/index.ts';
import type { FlatKv } from './flatKv.ts';
import { openFlatKv } from './openFlatKv.ts';
import { type FlatKvOptions, StartedFlatKv } from './startedFlatKv.ts';
import { EngineHost } from './thread/engineHost.ts';
import type { EngineLink, EngineRequest, EngineStatus } from './thread/messages.ts';
import type { FlatKvReport } from './verify/verifyFlatKv.ts';
import { verifyFlatKv } from './verify/verifyFlatKv.ts';

export const STORES = ['acc', 'bank', 'evm'];
const ADDRESSES = 12;
const CHANGES = 16;

/** Block `version` of a history that anybody can recompute: every kind of row, written, overwritten, deleted. */
export function blockAt(version: number, seed = 0): BlockChanges {
  const evm = new Map<string, KeyChange>();
  const bank = new Map<string, KeyChange>();
  for (let i = 0; i < CHANGES; i++) {
    const random = sha256(utf8(`${seed}:${version}:${i}`));
    const change = evmChange(random);
    evm.set(Buffer.from(change.key).toString('hex'), change);
    const value = random[1]! % 4 === 0 ? null : random.slice(0, random[2]! % 8);
    bank.set(String(random[0]! % 40), { key: utf8(`balance-${random[0]! % 40}`), value });
  }
  const sorted = (changes: Map<string, KeyChange>): KeyChange[] =>
    [...changes.values()].sort((a, b) => compareBytes(a.key, b.key));
  const stores = [{ store: 'evm', changes: sorted(evm) }];
  if (version % 3 !== 0) stores.unshift({ store: 'bank', changes: sorted(bank) });
  return { version, stores };
}

function evmChange(random: Uint8Array): KeyChange {
  const address = new Uint8Array(20).fill(random[0]! % ADDRESSES);
  const key = (first: number, ...more: number[]): Uint8Array => Uint8Array.of(first, ...address, ...more);
  const fate = random[1]! % 5;
  const written = (value: Uint8Array): Uint8Array | null =>
    fate === 0 ? null : fate === 1 ? value.fill(0) : value;
  const slot = new Uint8Array(32).fill(random[3]! % 4);
  switch (random[2]! % 6) {
    case 0:
      return { key: key(0x0a), value: written(random.slice(0, 8)) };
    case 1:
      return { key: key(0x08), value: written(random.slice(0, 32)) };
    case 2:
      return { key: key(0x07), value: fate === 0 ? null : random.slice(0, fate === 1 ? 0 : random[4]! % 32) };
    case 3:
      return { key: key(0x01), value: fate === 0 ? null : random.slice(0, 20) };
    case 4:
      return { key: key(0x0a, 7), value: fate === 0 ? null : random.slice(0, fate) };
    default:
      return { key: key(0x03, ...slot), value: written(random.slice(0, 32)) };
  }
}

/** The state that a history leads to, by the simplest means. */
export class ModelState implements RangeReads {
  readonly #rows = new Overlay(EMPTY_STATE);
  version = 0;

  apply({ version, stores }: BlockChanges): void {
    for (const { store, changes } of stores) {
      for (const { key, value } of changes) {
        if (value === null) this.#rows.delete(store, key);
        else this.#rows.set(store, key, value);
      }
    }
    this.version = version;
  }

  iterate(store: string, range?: KeyRange): ReturnType<RangeReads['iterate']> {
    return this.#rows.iterate(store, range);
  }

  /** Copies all of them. */
  freezeRows(): FrozenRows {
    const stores = STORES.map((store) => ({
      store,
      changes: Array.from(this.iterate(store), ([key, value]) => ({ key, value })),
    }));
    const count = stores.reduce((sum, { changes }) => sum + changes.length, 0);
    return {
      version: this.version,
      count,
      parts: () => stores.map((part) => [part]),
      release: () => undefined,
    };
  }
}

/** The store on this thread: a thread of its own takes longer to start than most tests to run. */
export function engineHere(directory: string): EngineLink {
  const host = new EngineHost(directory);
  let tail: Promise<unknown> = Promise.resolve();
  const call = (request: EngineRequest): Promise<EngineStatus> => {
    const done = tail.then(() => host.handle(request));
    tail = done.catch(() => undefined);
    return done;
  };
  return { call, close: async () => void (await call({ kind: 'close' })) };
}

interface OpenOptions extends Partial<FlatKvOptions> {
  readonly threaded?: boolean;
  /** As a start leaves it, which does not wait for a rebuild. */
  readonly unfinished?: boolean;
}

/** A directory with a changelog, FlatKV, and the model of what it must hold. */
export class FlatKvFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'flatkv-'));
  state = new ModelState();
  changelog!: Changelog;
  flatKv!: FlatKv;
  #open = false;

  get directory(): string {
    return join(this.root, 'flatkv');
  }

  /** The changelog is replayed into a new model first, as SC does. */
  async open(
    { threaded = false, unfinished = false, ...options }: OpenOptions = {},
    state?: ModelState,
  ): Promise<FlatKv> {
    const logger = silentLogger;
    this.changelog = await openChangelog(
      { directory: join(this.root, 'log'), segmentBytes: 4000 },
      { logger },
    );
    this.state = state ?? new ModelState();
    if (!state && this.changelog.lastVersion > 0) {
      for (const { changes } of this.changelog.read(this.changelog.firstVersion)) this.state.apply(changes);
    }
    try {
      const wanted = { directory: this.directory, ...options };
      const deps = { changelog: this.changelog, state: this.state, logger };
      this.flatKv = threaded
        ? await openFlatKv(wanted, deps)
        : await new StartedFlatKv(() => engineHere(wanted.directory), wanted).recover(deps);
    } catch (error) {
      await this.changelog.close();
      throw error;
    }
    this.#open = true;
    if (!unfinished) await this.flatKv.flushed();
    return this.flatKv;
  }

  async block(changes: BlockChanges): Promise<void> {
    await this.changelog.append({ changes, record: new Uint8Array(0) });
    this.state.apply(changes);
    await this.flatKv.apply(changes);
  }

  async blocks(to: number): Promise<void> {
    while (this.state.version < to) await this.block(blockAt(this.state.version + 1));
  }

  /** Waits for the thread, closes, and compares. */
  async verified(): Promise<FlatKvReport> {
    await this.flatKv.flushed();
    await this.close();
    const { version } = this.state;
    return verifyFlatKv({ directory: this.directory, stores: STORES, version }, this.state);
  }

  copyTo(name: string): string {
    const to = join(this.root, name);
    cpSync(this.directory, to, { recursive: true });
    return to;
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.flatKv.close();
    await this.changelog.close();
  }

  async end(): Promise<void> {
    await this.close();
    rmSync(this.root, { recursive: true });
  }
}

/** Where the filter of a LevelDB table ends: in front of its own trailer and the block that the footer names first. */
export function filterEnd(table: Uint8Array): number {
  let offset = 0;
  for (let at = table.length - 48, shift = 0; ; at++, shift += 7) {
    offset += (table[at]! & 0x7f) * 2 ** shift;
    if (table[at]! < 0x80) return offset - 5;
  }
}
