import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateStore, type StateStore } from '../../node/src/state/store/index.ts';
import type { BenchOptions, Report } from './bench.ts';
import { type Line, lineChart } from './lineChart.ts';
import { benchBlock, benchKey, grow, type OpenedState, openBenchState } from './stateCommitLoad.ts';

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const FULL_SIZES = [...SIZES, 3_000_000, 10_000_000];
const BLOCK_KEYS = 2000;
/** Blocks of updates that are measured at each size, and reads. */
const BLOCKS = 10;
const READS = 20_000;
/** Each figure is the best of so many: what else the machine does only ever adds. */
const ROUNDS = 5;
/** SC's keys between two snapshots while it grows: what is not in one is in memory. */
const SNAPSHOT_KEYS = 1_000_000;
const CHART = 'docs/benchmarks/size.svg';

/** Cost of reads and commits against the number of keys; writes the chart. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const sizes = full ? FULL_SIZES : SIZES;
  const lines = [...(await stateStoreLines(sizes)), ...(await stateCommitLines(sizes))];
  for (const { name, unit, points } of lines) {
    for (const [keys, value] of points) {
      const base = points[0]!;
      const row = { name: `${name}, ${keys.toLocaleString('en-US')} keys`, value, unit };
      report({ ...row, peer: `at ${base[0].toLocaleString('en-US')} keys`, ratio: value / base[1] });
    }
  }
  const text = {
    title: 'Cost against size',
    note: `Rows of 53 + 32 bytes, blocks of ${BLOCK_KEYS} updates of random keys; both axes logarithmic`,
    xName: 'keys in the state',
  };
  mkdirSync('docs/benchmarks', { recursive: true });
  writeFileSync(CHART, lineChart(text, lines));
  console.log(`  wrote ${CHART}`);
}

type Point = [number, number];

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

/** Microseconds a read, keys made beforehand. */
function timeReads(keys: number, read: (key: Uint8Array, i: number) => Uint8Array | undefined): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = [...randomKeys(keys, READS, round)].map((i) => [i, benchKey(i)] as const);
    const started = performance.now();
    for (const [i, key] of wanted) if (!read(key, i)) throw new RangeError(`key ${i} is missing`);
    best = Math.min(best, ((performance.now() - started) * 1000) / READS);
  }
  return best;
}

/** A block of updates: its first key at random, so that every block touches others. */
const updates = (version: number, keys: number, i: number) =>
  benchBlock(version, [...randomKeys(Math.max(1, keys - BLOCK_KEYS), i + 1)].at(-1)!, BLOCK_KEYS);

async function stateStoreLines(sizes: readonly number[]): Promise<Line[]> {
  return inDirectory(async (home) => {
    const logger = silentLogger;
    const changelog = await openChangelog({ directory: join(home, 'data/changelog') }, { logger });
    const options = { home, backend: 'pebbledb', split: true, separateDbs: false } as const;
    const store = await openStateStore(
      { ...options, asyncWriteBuffer: 100, committedVersion: 0 },
      { changelog, logger },
    );
    const newest: Point[] = [];
    const oldest: Point[] = [];
    const applied: Point[] = [];
    /** The version that wrote the keys from `i · BLOCK_KEYS` on. */
    const writtenAt: number[] = [];
    let keys = 0;
    for (const size of sizes) {
      for (; keys < size; keys += BLOCK_KEYS) {
        writtenAt.push(store.latestVersion + 1);
        await store.apply(benchBlock(store.latestVersion + 1, keys, BLOCK_KEYS));
      }
      await store.flushed();
      applied.push([size, await timeApply(store, size)]);
      const now = store.latestVersion;
      newest.push([size, timeReads(size, (key) => store.get('evm', key, now))]);
      oldest.push([
        size,
        timeReads(size, (key, i) => store.get('evm', key, writtenAt[Math.floor(i / BLOCK_KEYS)]!)),
      ]);
    }
    await store.close();
    await changelog.close();
    return [
      { name: `SS apply, ${BLOCK_KEYS} updates`, unit: 'µs', points: applied },
      { name: 'SS read, newest version', unit: 'µs', points: newest },
      { name: 'SS read, oldest version', unit: 'µs', points: oldest },
    ];
  });
}

/** Microseconds a block, until all of them are synced. */
async function timeApply(store: StateStore, keys: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const first = store.latestVersion + 1;
    const blocks = Array.from({ length: BLOCKS }, (_, i) => updates(first + i, keys, round * BLOCKS + i));
    const started = performance.now();
    for (const block of blocks) await store.apply(block);
    await store.flushed();
    best = Math.min(best, ((performance.now() - started) * 1000) / BLOCKS);
  }
  return best;
}

async function stateCommitLines(sizes: readonly number[]): Promise<Line[]> {
  return inDirectory(async (directory) => {
    const state = await openBenchState(directory);
    const commits: Point[] = [];
    const gets: Point[] = [];
    let keys = 0;
    for (const size of sizes) {
      for (; keys < size; keys += Math.min(size - keys, SNAPSHOT_KEYS)) {
        await grow(state, Math.min(size - keys, SNAPSHOT_KEYS), BLOCK_KEYS, keys);
        await settle(state);
      }
      const blocks = Array.from({ length: BLOCKS }, (_, i) => updates(state.commit.version + 1 + i, size, i));
      const times = blocks.map((block) => {
        const started = performance.now();
        state.commit.apply(block);
        return (performance.now() - started) * 1000;
      });
      commits.push([size, Math.min(...times)]);
      for (const changes of blocks) await state.changelog.append({ changes, record: new Uint8Array(0) });
      gets.push([size, timeReads(size, (key) => state.commit.get('evm', key))]);
    }
    await state.close();
    return [
      { name: `SC commit, ${BLOCK_KEYS} keys`, unit: 'µs', points: commits },
      { name: 'SC get', unit: 'µs', points: gets },
    ];
  });
}

/** The trees onto a snapshot, as a running node has them, and the log behind it let go. */
async function settle({ commit, changelog }: OpenedState): Promise<void> {
  await commit.snapshotNow();
  await changelog.truncateBefore(commit.snapshotVersion);
}
