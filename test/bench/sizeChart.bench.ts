import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { type DbHandle, openSharedReads } from '../../node/src/db/index.ts';
import { openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateStore, type StateStore, StoreImporter } from '../../node/src/state/store/index.ts';
import { headPrefix, headRow } from '../../node/src/state/store/rowKey.ts';
import type { BenchOptions, Report } from './bench.ts';
import { type Line, lineChart } from './lineChart.ts';
import {
  benchBlock,
  benchKey,
  benchKeysInOrder,
  grow,
  type OpenedState,
  openBenchState,
} from './stateCommitLoad.ts';

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const FULL_SIZES = [...SIZES, 3_000_000, 10_000_000];
const BLOCK_KEYS = 2000;
/** Blocks of updates that are measured at each size, and reads. */
const BLOCKS = 10;
/** SC's blocks before those: a running node has the pages in memory that most blocks need. */
const BLOCKS_BEFORE = 50;
const VALUE_BYTES = 32;
const READS = 20_000;
/** Each figure is the best of so many, in processor time: what else the machine does only ever adds. */
const ROUNDS = 5;
/** SC's keys between two snapshots while it grows, or half of those there: what is not in one is in memory. */
const SNAPSHOT_KEYS = 1_000_000;
/** SC's keys in a block while it grows: large blocks share the upper parts of their keys' paths. */
const GROW_BLOCK_KEYS = 20_000;
/** Keys between two lines of progress. */
const GROW_KEYS = 100_000;
const CHART = 'docs/benchmarks/size.svg';

/** Cost of reads and commits against the number of keys; writes the chart. */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const sizes = full ? FULL_SIZES : SIZES;
  const charted = { sizes, report, progress };
  const lines = [...(await stateStoreLines(charted)), ...(await stateCommitLines(charted))];
  const text = {
    title: 'Cost against size',
    note: `Processor time; rows of 53 + 32 bytes, blocks of ${BLOCK_KEYS} updates of random keys; both axes logarithmic`,
    xName: 'keys in the state',
  };
  mkdirSync('docs/benchmarks', { recursive: true });
  writeFileSync(CHART, lineChart(text, lines));
  console.log(`  wrote ${CHART}`);
}

type Point = [number, number];

interface Charted {
  readonly sizes: readonly number[];
  readonly report: Report;
  readonly progress: BenchOptions['progress'];
}

/** A line whose points are reported as they come: the largest sizes take minutes. */
class GrowingLine implements Line {
  readonly name: string;
  readonly unit = 'µs';
  readonly points: Point[] = [];
  readonly #report: Report;

  constructor(name: string, report: Report) {
    this.name = name;
    this.#report = report;
  }

  add(keys: number, value: number): void {
    this.points.push([keys, value]);
    const [smallest, base] = this.points[0]!;
    const peer = `at ${smallest.toLocaleString('en-US')} keys`;
    const name = `${this.name}, ${keys.toLocaleString('en-US')} keys`;
    this.#report({ name, value, unit: this.unit, peer, ratio: value / base });
  }
}

/** Microseconds of all threads on the cores since `from`. */
function cpuMicros(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'size-chart-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Numbers of keys that exist, in an order without pattern. */
function* randomKeys(keys: number, count: number, seed = 42): Iterable<number> {
  for (let i = 0, state = seed; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield Math.floor((state / 2 ** 32) * keys);
  }
}

/** Microseconds a read, keys made beforehand; `seed` and those next to it choose them. */
function timeReads(keys: number, seed: number, read: (key: Uint8Array) => Uint8Array | undefined): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = [...randomKeys(keys, READS, seed + round)].map(benchKey);
    const from = process.threadCpuUsage();
    for (const key of wanted)
      if (!read(key)) throw new RangeError(`key ${Buffer.from(key).toString('hex')} is missing`);
    const { user, system } = process.threadCpuUsage(from);
    best = Math.min(best, (user + system) / READS);
  }
  return best;
}

/** A block of updates: its first key at random, so that every block touches others. */
const updates = (version: number, keys: number, i: number) =>
  benchBlock(version, [...randomKeys(Math.max(1, keys - BLOCK_KEYS), i + 1)].at(-1)!, BLOCK_KEYS);

/**
 * Each size in a home of its own, filled as a state sync fills it: block by block, most of the time at ten million keys
 * would go into growing. The keys of each measure are others, so that none reads what the one before left in memory.
 */
async function stateStoreLines({ sizes, report, progress }: Charted): Promise<Line[]> {
  const applied = new GrowingLine(`SS apply, ${BLOCK_KEYS} updates`, report);
  const bare = new GrowingLine('bare LevelDB get of the same rows', report);
  const newest = new GrowingLine('SS read, newest version', report);
  const oldest = new GrowingLine('SS read, oldest version', report);
  const prefix = headPrefix(EVM);
  for (const size of sizes) {
    await inDirectory(async (home) => {
      await importKeys(home, size, progress);
      const { store, close } = await openImported(home);
      applied.add(size, await timeApply(store, size));
      const rows = await openSharedReads(store.handles!.evm as DbHandle);
      const limit = timeReads(size, 100, (key) => rows.get(headRow(prefix, key)));
      await rows.close();
      bare.add(size, limit);
      for (const [line, version, seed] of [
        [newest, store.latestVersion, 200],
        [oldest, IMPORTED, 300],
      ] as const) {
        const value = timeReads(size, seed, (key) => store.get(EVM, key, version));
        line.add(size, value);
        report({ name: '  beside it', value, unit: 'µs', peer: bare.name, ratio: value / limit });
      }
      await close();
    });
  }
  return [applied, bare, newest, oldest];
}

const EVM = 'evm';
const IMPORTED = 1;
const LAYOUT = { backend: 'pebbledb', split: true, separateDbs: false } as const;

async function importKeys(home: string, size: number, progress: BenchOptions['progress']): Promise<void> {
  const importer = await StoreImporter.open({ home, version: IMPORTED, ...LAYOUT });
  let rows = 0;
  for (const key of benchKeysInOrder(size)) {
    const value = { valueBytes: key, valueAt: 0, valueLength: VALUE_BYTES };
    await importer.put(EVM, { keyBytes: key, keyAt: 0, keyLength: key.length, ...value });
    if (++rows % GROW_KEYS > 0) continue;
    progress(`SS is filled with ${size.toLocaleString('en-US')} keys: ${rows.toLocaleString('en-US')}`);
  }
  await importer.flush();
  await importer.complete();
  await importer.close();
}

/** With a log that goes on where the import ended. */
async function openImported(home: string): Promise<{ store: StateStore; close: () => Promise<void> }> {
  const logger = silentLogger;
  const changelog = await openChangelog({ directory: join(home, 'data/changelog') }, { logger });
  const store = await openStateStore(
    { home, ...LAYOUT, asyncWriteBuffer: 100, committedVersion: IMPORTED },
    { changelog, logger },
  );
  const close = async (): Promise<void> => {
    await store.close();
    await changelog.close();
  };
  return { store, close };
}

/** Microseconds a block, on all threads, until all of them are synced. */
async function timeApply(store: StateStore, keys: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const first = store.latestVersion + 1;
    const blocks = Array.from({ length: BLOCKS }, (_, i) => updates(first + i, keys, round * BLOCKS + i));
    const from = process.cpuUsage();
    for (const block of blocks) await store.apply(block);
    await store.flushed();
    best = Math.min(best, cpuMicros(from) / BLOCKS);
  }
  return best;
}

async function stateCommitLines({ sizes, report, progress }: Charted): Promise<Line[]> {
  return inDirectory(async (directory) => {
    const state = await openBenchState(directory);
    const commits = new GrowingLine(`SC commit, ${BLOCK_KEYS} keys`, report);
    const gets = new GrowingLine('SC get', report);
    let keys = 0;
    for (const size of sizes) {
      while (keys < size) {
        const until = Math.min(size, keys + Math.max(SNAPSHOT_KEYS, keys / 2));
        for (; keys < until; keys += GROW_KEYS) {
          await grow(state, Math.min(until - keys, GROW_KEYS), Math.min(until - keys, GROW_BLOCK_KEYS), keys);
          progress(`SC grows to ${size.toLocaleString('en-US')} keys: ${keys.toLocaleString('en-US')}`);
        }
        keys = until;
        await settle(state);
      }
      const blocks = Array.from({ length: BLOCKS_BEFORE + BLOCKS }, (_, i) =>
        updates(state.commit.version + 1 + i, size, i),
      );
      const times = blocks.map((block) => {
        const from = process.cpuUsage();
        state.commit.apply(block);
        return cpuMicros(from);
      });
      commits.add(size, Math.min(...times.slice(BLOCKS_BEFORE)));
      for (const changes of blocks) await state.changelog.append({ changes, record: new Uint8Array(0) });
      gets.add(
        size,
        timeReads(size, 400, (key) => state.commit.get(EVM, key)),
      );
    }
    await state.close();
    return [commits, gets];
  });
}

/** The trees onto a snapshot, as a running node has them, and the log behind it let go. */
async function settle({ commit, changelog }: OpenedState): Promise<void> {
  await commit.snapshotNow();
  await changelog.truncateBefore(commit.snapshotVersion);
}
