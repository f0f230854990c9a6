import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflate } from 'node:zlib';
import { silentLogger } from '@chain/platform';
import { openLevelDb } from '../../node/src/db/index.ts';
import type { FrozenState } from '../../node/src/state/commit/index.ts';
import { createSnapshot, SnapshotSchedule, SnapshotShelf } from '../../node/src/state/snapshot/index.ts';
import type { BenchOptions, Report } from './bench.ts';
import { benchBlock, benchKey, grow, type OpenedState, openBenchState } from './stateCommitLoad.ts';
import { type Took, timed } from './took.ts';

/** The Go reference's import of EVM rows into SS alone, one worker, by the middle. */
const REFERENCE_IMPORT = 300_000;
const IMPORT_TARGET = 300_000;
const EXPORT_TARGET = 500_000;
const CORES = 2;
/** Imports of each layout, of which the best counts. */
const RESTORES = 2;
const RESTORER = new URL('./snapshotRestorer.ts', import.meta.url).pathname;
/** Uncompressed bytes of a storage row and the branch above it. */
const ROW_BYTES = 160;

const seconds = async (work: () => Promise<unknown>): Promise<number> => (await timed(work)).seconds;

/** What a row costs the cores, against what it may cost for a target on two of them. */
function reportCpu(
  report: Report,
  name: string,
  { took, rows, target }: { took: Took; rows: number; target: number },
): void {
  const value = (took.cpuSeconds / rows) * 1e6;
  const budget = (CORES / target) * 1e6;
  const peer = `budget of ${budget.toPrecision(2)} µs on two cores`;
  report({ name: `${name}, CPU a row`, value, unit: 'µs', peer, ratio: value / budget });
}

function restorePointOf({ appHash }: FrozenState) {
  return { chainId: 'bench-1', appHash, blockRecord: new Uint8Array(0) };
}

async function exported(state: OpenedState, directory: string, parallel: number): Promise<Took> {
  const shelf = new SnapshotShelf(directory);
  const { frozen, release } = state.commit.freeze();
  const options = { frozen, restorePoint: restorePointOf(frozen), keepRecent: 0, parallel };
  const took = await timed(() => createSnapshot(options, { shelf }));
  release();
  return took;
}

/** What the cores could do if compressing were all there is. */
async function deflateLimit(): Promise<number> {
  const block = Buffer.alloc(1 << 20);
  for (let at = 0, i = 0; at + ROW_BYTES <= block.length; at += ROW_BYTES, i++) {
    const key = benchKey(i);
    block.set(key, at + 4);
    block.fill(i, at + 60, at + 92);
    block.set(key, at + 102);
  }
  const compress = promisify(deflate);
  const took = await seconds(() =>
    Promise.all(Array.from({ length: CORES }, () => compress(block, { level: 4, memLevel: 9 }))),
  );
  return (CORES * block.length) / ROW_BYTES / took;
}

/** A bare LevelDB that is given the same rows in the same order. */
async function bareWrite(directory: string, rows: number): Promise<number> {
  const keys = Array.from({ length: rows }, (_, i) => benchKey(i)).sort(Buffer.compare);
  const db = await openLevelDb({ directory, writeBufferBytes: 64 << 20 });
  const took = await seconds(async () => {
    for (let from = 0; from < rows; from += 4000) {
      await db.batch(
        keys.slice(from, from + 4000).map((key, i) => ({
          type: 'put',
          key,
          value: Buffer.alloc(42, from + i),
        })),
      );
    }
    await db.batch([], { sync: true });
  });
  await db.close();
  return rows / took;
}

/** In a process of its own, as `chaind snapshot import` is one; what was written before is on the disk by then. */
async function restored(shelf: string, home: string, split: boolean): Promise<Took> {
  spawnSync('sync');
  const child = spawn(process.execPath, [RESTORER, shelf, home, String(split)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  rmSync(home, { recursive: true });
  return JSON.parse(printed) as Took;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Blocks of 200 keys while a snapshot is written: the longest time that the loop stood still, with and without. */
async function pauses(
  state: OpenedState,
  directory: string,
  first: number,
): Promise<{ without: number; during: number; beginning: number }> {
  const schedule = new SnapshotSchedule(
    { interval: 1, keepRecent: 0 },
    { shelf: new SnapshotShelf(directory), freeze: () => state.commit.freeze(), logger: silentLogger },
  );
  const run = async (during: () => Promise<boolean>): Promise<number> => {
    // What was measured before has left a million keys: taking them away would be a pause of this.
    collectGarbage();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let from = first; await during(); from += 200) {
      const changes = benchBlock(state.commit.version + 1, from, 200);
      state.commit.apply(changes);
      await state.changelog.append({ changes, record: new Uint8Array(0) });
    }
    delay.disable();
    return delay.max / 1e6;
  };
  let blocks = 0;
  const without = await run(async () => blocks++ < 100);
  let running = true;
  const begun = performance.now();
  schedule.onBlock(state.commit.version, () =>
    restorePointOf({ appHash: state.commit.appHash } as FrozenState),
  );
  await nextTurn();
  const beginning = performance.now() - begun;
  void schedule.idle().then(() => {
    running = false;
  });
  const during = await run(async () => running);
  return { without, during, beginning };
}

/** Export and import of EVM storage rows, and what a snapshot costs the blocks that are made meanwhile. */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const rows = full ? 4_000_000 : 1_000_000;
  const root = mkdtempSync(join(tmpdir(), 'snapshot-bench-'));
  const shape = `${rows.toLocaleString('en-US')} EVM rows`;
  try {
    const state = await openBenchState(join(root, 'state'));
    await grow(state, rows, 20_000);
    await state.commit.snapshotNow();
    const limit = await deflateLimit();
    report({ name: 'zlib alone, two at a time', value: limit, unit: 'rows/s' });
    for (const parallel of [CORES, 0]) {
      const took = await exported(state, join(root, `shelf-${parallel}`), parallel);
      const value = rows / took.seconds;
      const name = `export, ${shape}, ${parallel === 0 ? 'all on one thread' : `${parallel} compressing`}`;
      report({ name, value, unit: 'rows/s', peer: 'target 500 k/s', ratio: value / EXPORT_TARGET });
      report({ name, value, unit: 'rows/s', peer: 'zlib alone', ratio: value / limit });
      reportCpu(report, name, { took, rows, target: EXPORT_TARGET });
    }
    const bare = await bareWrite(join(root, 'bare'), rows);
    report({ name: 'bare LevelDB, the same rows in order', value: bare, unit: 'rows/s' });
    const takes: Record<'split' | 'unsplit', Took[]> = { split: [], unsplit: [] };
    // In turns: neither has the warmer disk.
    for (let turn = 0; turn < 2 * RESTORES; turn++) {
      const layout = turn % 2 === 0 ? 'split' : 'unsplit';
      progress(`import ${turn + 1} of ${2 * RESTORES}`);
      const shelf = join(root, `shelf-${CORES}`);
      takes[layout].push(await restored(shelf, join(root, `home-${turn}`), layout === 'split'));
    }
    for (const layout of ['split', 'unsplit'] as const) {
      const took = takes[layout].reduce((best, each) => (each.seconds < best.seconds ? each : best));
      const value = rows / took.seconds;
      const name = `import into SC and SS, ${shape}, ${layout}`;
      report({ name, value, unit: 'rows/s', peer: 'target 300 k/s', ratio: value / IMPORT_TARGET });
      report({ name, value, unit: 'rows/s', peer: 'reference, SS alone', ratio: value / REFERENCE_IMPORT });
      report({ name, value, unit: 'rows/s', peer: 'bare LevelDB', ratio: value / bare });
      reportCpu(report, name, { took, rows, target: IMPORT_TARGET });
      report({ name: `${name}, memory at its highest`, value: took.maxBytes / 2 ** 20, unit: 'MiB' });
    }
    const { without, during, beginning } = await pauses(state, join(root, 'shelf-pauses'), rows);
    const peer = 'blocks alone';
    report({ name: 'longest pause, 200 keys a block, no snapshot', value: without, unit: 'ms' });
    report({ name: 'main thread held to begin a snapshot', value: beginning, unit: 'ms' });
    report({
      name: 'longest pause while a snapshot is written',
      value: during,
      unit: 'ms',
      peer,
      ratio: during / without,
    });
    await state.close();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
