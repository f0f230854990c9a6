import { createHash, hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@chain/platform';
import { openKeyValueDb } from '../../db/index.ts';
import type { BlockChanges } from '../../types/index.ts';
import { openChangelog } from '../changelog/index.ts';
import { exportState, type FrozenState, leafOf, openStateCommit, type StateCommit } from '../commit/index.ts';
import { openStateStore, type StateStore } from '../store/index.ts';
import { CHUNK_BYTES, type SnapshotDescription } from './description.ts';
import { Restore } from './restore/restore.ts';
import type { RestoreTarget } from './restore/restoreTarget.ts';
import type { RestorePoint } from './restorePoint.ts';
import { DeflateStream } from './stream/deflateStream.ts';
import { ItemWriter } from './stream/itemWriter.ts';

export const STORES = ['bank', 'evm'];
export const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export interface Row {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const ADDRESS = 'a'.repeat(20);
/** One row of each kind that the EVM store has, a long value, and an empty one. */
export const EVM_ROWS: readonly Row[] = [
  { key: latin1(`\x01${ADDRESS}`), value: latin1('association') },
  { key: latin1(`\x03${ADDRESS}${'s'.repeat(32)}`), value: latin1('w'.repeat(32)) },
  { key: latin1(`\x07${ADDRESS}`), value: latin1('code'.repeat(5_000)) },
  { key: latin1(`\x08${ADDRESS}`), value: latin1('h'.repeat(32)) },
  { key: latin1(`\x09${ADDRESS}`), value: latin1('size') },
  { key: latin1(`\x0a${ADDRESS}`), value: latin1('\0\0\0\0\0\0\0\x07') },
  { key: latin1(`\x0a${'b'.repeat(20)}`), value: latin1('\0\0\0\0\0\0\0\x01') },
  { key: latin1('\x0bempty'), value: latin1('') },
];
export const BANK_ROWS: readonly Row[] = Array.from({ length: 300 }, (_, i) => ({
  key: latin1(`balance-${String(i).padStart(4, '0')}`),
  value: latin1(`${i}`.repeat(1 + (i % 5))),
}));

/** Rows of 100,000 bytes that do not compress. */
export function noise(count: number): readonly Row[] {
  return Array.from({ length: count }, (_, i) => {
    let seed = i + 1;
    const value = Uint8Array.from({ length: 100_000 }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    });
    return { key: latin1(`noise-${String(i).padStart(4, '0')}`), value };
  });
}

/** What a stream carries beside the trees: rows as they go over the wire. */
export interface FlatSection {
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface MadeSnapshot {
  readonly description: SnapshotDescription;
  readonly chunks: readonly Uint8Array[];
}

export async function compressed(blocks: readonly Uint8Array[], parallel = 2): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const deflate = new DeflateStream({ parallel }, (bytes) => pieces.push(bytes));
  for (const block of blocks) deflate.write(block);
  await deflate.finish();
  return Buffer.concat(pieces);
}

export function itemsOf(frozen: FrozenState, flat: readonly FlatSection[] = []): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  const writer = new ItemWriter((block) => blocks.push(block));
  for (const _full of exportState(frozen, writer));
  for (const { name, rows } of flat) {
    writer.store(name);
    for (const { key, value } of rows) writer.leaf(leafOf(key, value, frozen.version));
  }
  writer.finish();
  return blocks;
}

/** Cuts a stream into chunks and describes it. */
export function described(height: number, stream: Uint8Array, chunkBytes = CHUNK_BYTES): MadeSnapshot {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < stream.length; at += chunkBytes) chunks.push(stream.slice(at, at + chunkBytes));
  const description = {
    height,
    format: 1,
    chunks: chunks.length,
    hash: createHash('sha256').update(stream).digest(),
    chunkHashes: chunks.map((chunk) => hash('sha256', chunk, 'buffer')),
  };
  return { description, chunks };
}

/** Homes in a directory of their own. */
export class SnapshotHomes {
  readonly root = mkdtempSync(join(tmpdir(), 'snapshot-'));
  #count = 0;

  fresh(): string {
    return join(this.root, `home-${this.#count++}`);
  }

  withCommit<T>(use: (commit: StateCommit) => Promise<T>, home = this.fresh()): Promise<T> {
    return withCommit(home, use);
  }

  /** A state of one block, and what `use` makes of it. */
  withState<T>(
    stores: Readonly<Record<string, readonly Row[]>>,
    use: (commit: StateCommit, frozen: FrozenState) => Promise<T>,
    home = this.fresh(),
  ): Promise<T> {
    return this.withCommit(async (commit) => {
      const changes = Object.entries(stores).map(([store, rows]) => ({ store, changes: rows }));
      // Nodes of a tree's first version all carry 1; the second gives the snapshot a height of its own.
      commit.apply({ version: 1, stores: changes });
      commit.apply({ version: 2, stores: [] });
      const { frozen, release } = commit.freeze();
      try {
        return await use(commit, frozen);
      } finally {
        release();
      }
    }, home);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export async function withCommit<T>(home: string, use: (commit: StateCommit) => Promise<T>): Promise<T> {
  const opened = new Lifecycle();
  try {
    return await use(await openCommit(home, opened));
  } finally {
    await opened.close();
  }
}

async function openCommit(home: string, opened: Lifecycle): Promise<StateCommit> {
  const logger = silentLogger;
  const changelog = opened.own(await openChangelog({ directory: join(home, 'data/changelog') }, { logger }));
  return opened.own(
    await openStateCommit(
      {
        directory: join(home, 'data/committer.db'),
        stores: STORES,
        snapshotInterval: 1e6,
        snapshotKeepRecent: 0,
      },
      { changelog, logger },
    ),
  );
}

export function targetOf(home: string, layout: Partial<RestoreTarget> = {}): RestoreTarget {
  const data = (name: string): string => join(home, 'data', name);
  return {
    home,
    changelog: data('changelog'),
    commit: data('committer.db'),
    flatKv: data('flatkv'),
    base: data('pebbledb'),
    evm: data('evm_ss'),
    history: data('history'),
    backend: 'pebbledb',
    split: false,
    separateDbs: false,
    ...layout,
  };
}

export function offer(
  description: SnapshotDescription,
  target: RestoreTarget,
  appHash: Uint8Array,
): Promise<Restore> {
  const deps = { beginHistory: async () => undefined, logger: silentLogger };
  return Restore.offer(description, { target, stores: STORES, appHash }, deps);
}

/** Offers and applies everything; aborts when it fails. */
export async function restoreAll(
  { description, chunks }: MadeSnapshot,
  target: RestoreTarget,
  appHash: Uint8Array,
): Promise<void> {
  const restore = await offer(description, target, appHash);
  try {
    for (const [index, chunk] of chunks.entries()) await restore.applyChunk(index, chunk);
    await restore.finish();
  } catch (error) {
    await restore.abort();
    throw error;
  }
}

export interface RestoredState {
  readonly commit: StateCommit;
  readonly store: StateStore;
  /** As the chain commits a block. */
  block(changes: BlockChanges): Promise<void>;
}

/** Opens a restored home as a node would. */
export async function withRestored<T>(
  { home, split, separateDbs }: RestoreTarget,
  use: (state: RestoredState) => Promise<T>,
): Promise<T> {
  const opened = new Lifecycle();
  const logger = silentLogger;
  try {
    const changelog = opened.own(
      await openChangelog({ directory: join(home, 'data/changelog') }, { logger }),
    );
    const commit = opened.own(
      await openStateCommit(
        {
          directory: join(home, 'data/committer.db'),
          stores: STORES,
          snapshotInterval: 1e6,
          snapshotKeepRecent: 0,
        },
        { changelog, logger },
      ),
    );
    const store = opened.own(
      await openStateStore(
        {
          home,
          backend: 'pebbledb',
          split,
          separateDbs,
          asyncWriteBuffer: 0,
          committedVersion: commit.version,
        },
        { changelog, logger },
      ),
    );
    const block = async (changes: BlockChanges): Promise<void> => {
      commit.apply(changes);
      await changelog.append({ changes, record: new Uint8Array(0) });
      await store.apply(changes);
      commit.maybeSnapshot();
    };
    return await use({ commit, store, block });
  } finally {
    await opened.close();
  }
}

/** Names of the stores whose keys have a row in a database. */
export async function storesIn(directory: string): Promise<string[]> {
  const db = await openKeyValueDb({ backend: 'pebbledb', directory });
  const names = new Set<string>();
  try {
    for await (const [row] of db.iterate({ start: Uint8Array.of(0x68), end: Uint8Array.of(0x69) })) {
      names.add(Buffer.from(row.subarray(2, 2 + row[1]!)).toString('utf8'));
    }
  } finally {
    await db.close();
  }
  return [...names].sort();
}

export const restorePointOf = ({ appHash }: FrozenState): RestorePoint => ({
  chainId: 'test-1',
  appHash,
  blockRecord: latin1('block'),
});
