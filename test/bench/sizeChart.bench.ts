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
/** Each figure is the best of so many, in processor time: what else the machine does only ever adds. */
const ROUNDS = 5;
/** SC's keys between two snapshots while it grows: what is not in one is in memory. */
const SNAPSHOT_KEYS = 1_000_000;
/** Its keys between two lines of progress. */
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

/** Microseconds a read, keys made beforehand. */
function timeReads(keys: number, read: (key: Uint8Array, i: number) => Uint8Array | undefined): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = [...randomKeys(keys, READS, round)].map((i) => [i, benchKey(i)] as const);
    const from = process.threadCpuUsage();
    for (const [i, key] of wanted) if (!read(key, i)) throw new RangeError(`key ${i} is missing`);
    const { user, system } = process.threadCpuUsage(from);
    best = Math.min(best, (user + system) / READS);
  }
  return best;
}

/** A block of updates: its first key at random, so that every block touches others. */
const updates = (version: number, keys: number, i: number) =>
  benchBlock(version, [...randomKeys(Math.max(1, keys - BLOCK_KEYS), i + 1)].at(-1)!, BLOCK_KEYS);

async function stateStoreLines({ sizes, report, progress }: Charted): Promise<Line[]> {
  return inDirectory(async (home) => {
    const logger = silentLogger;
    const changelog = await openChangelog({ directory: join(home, 'data/changelog') }, { logger });
    const options = { home, backend: 'pebbledb', split: true, separateDbs: false } as const;
    const store = await openStateStore(
      { ...options, asyncWriteBuffer: 100, committedVersion: 0 },
      { changelog, logger },
    );
    const applied = new GrowingLine(`SS apply, ${BLOCK_KEYS} updates`, report);
    const newest = new GrowingLine('SS read, newest version', report);
    const oldest = new GrowingLine('SS read, oldest version', report);
    /** The version that wrote the keys from `i · BLOCK_KEYS` on. */
    const writtenAt: number[] = [];
    let keys = 0;
    for (const size of sizes) {
      for (; keys < size; keys += BLOCK_KEYS) {
        writtenAt.push(store.latestVersion + 1);
        await store.apply(benchBlock(store.latestVersion + 1, keys, BLOCK_KEYS));
        progress(`SS grows to ${size.toLocaleString('en-US')} keys: ${keys.toLocaleString('en-US')}`);
      }
      await store.flushed();
      applied.add(size, await timeApply(store, size));
      const now = store.latestVersion;
      newest.add(
        size,
        timeReads(size, (key) => store.get('evm', key, now)),
      );
      oldest.add(
        size,
        timeReads(size, (key, i) => store.get('evm', key, writtenAt[Math.floor(i / BLOCK_KEYS)]!)),
      );
    }
    await store.close();
    await changelog.close();
    return [applied, newest, oldest];
  });
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
        const until = Math.min(size, keys + SNAPSHOT_KEYS);
        for (; keys < until; keys += GROW_KEYS) {
          await grow(state, Math.min(until - keys, GROW_KEYS), BLOCK_KEYS, keys);
          progress(`SC grows to ${size.toLocaleString('en-US')} keys: ${keys.toLocaleString('en-US')}`);
        }
        keys = until;
        await settle(state);
      }
      const blocks = Array.from({ length: BLOCKS }, (_, i) => updates(state.commit.version + 1 + i, size, i));
      const times = blocks.map((block) => {
        const from = process.cpuUsage();
        state.commit.apply(block);
        return cpuMicros(from);
      });
      commits.add(size, Math.min(...times));
      for (const changes of blocks) await state.changelog.append({ changes, record: new Uint8Array(0) });
      gets.add(
        size,
        timeReads(size, (key) => state.commit.get('evm', key)),
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
