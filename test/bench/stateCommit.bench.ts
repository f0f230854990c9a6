import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STRIDE } from '../../node/src/state/commit/memiavl/nodeArena.ts';
import { Tree } from '../../node/src/state/commit/memiavl/tree.ts';
import type { Report } from './bench.ts';
import { benchBlock, benchKey, grow, type OpenedState, openBenchState } from './stateCommitLoad.ts';

/** The Go reference, measured on the same two cores. */
const GO_WRITES_PER_SECOND = 101_000;
const GO_SNAPSHOT_SECONDS = 2.5;
const LEAVES = 1_000_000;

/** SC alone: writes, snapshot, open, reads, and the changelog beside the disk's own sync rate. */
export async function run(report: Report, options: { readonly full?: boolean } = {}): Promise<void> {
  await inDirectory((directory) => writes(directory, report));
  await kept(report);
  await inDirectory((directory) => million(directory, report));
  await inDirectory((directory) => appends(directory, report));
  await inDirectory((directory) => commitsAndReplay(directory, report));
  if (options.full) await inDirectory((directory) => tenMillion(directory, report));
}

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'state-commit-bench-'));
  try {
    await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function writes(directory: string, report: Report): Promise<void> {
  const state = await openBenchState(directory);
  await grow(state, 20_000, 200);
  const blocks = Array.from({ length: 500 }, (_, i) =>
    benchBlock(state.commit.version + 1 + i, 20_000 + 200 * i, 200),
  );
  const started = performance.now();
  for (const block of blocks) state.commit.apply(block);
  const rate = 100_000 / ((performance.now() - started) / 1000);
  report({
    name: 'memiavl write, 100 k keys at 200 a block, hashed',
    value: rate,
    unit: 'keys/s',
    peer: 'Go reference',
    ratio: rate / GO_WRITES_PER_SECOND,
  });
  await state.close();
}

const KEPT = 128;
const KEPT_KEYS = 300_000;
const KEPT_BLOCKS = 300;

/** What keeping versions for proofs costs: 200 keys a block are written again, with and without, in turns. */
async function kept(report: Report): Promise<void> {
  await inDirectory(async (directory) => {
    const states = [
      await openBenchState(join(directory, 'one')),
      await openBenchState(join(directory, 'kept'), KEPT),
    ];
    for (const state of states) await grow(state, KEPT_KEYS, 2000);
    const times = [0, 0];
    for (let i = 0; i < KEPT_BLOCKS; i++) {
      const block = benchBlock(states[0]!.commit.version + 1, (200 * 7919 * i) % KEPT_KEYS, 200);
      for (const [which, { commit }] of states.entries()) {
        const started = performance.now();
        commit.apply(block);
        times[which]! += performance.now() - started;
      }
    }
    const [one, all] = times as [number, number];
    const name = `write 200 of ${KEPT_KEYS} keys a block again, ${KEPT} versions kept`;
    report({
      name,
      value: (200_000 * KEPT_BLOCKS) / all,
      unit: 'keys/s',
      peer: 'one version kept',
      ratio: one / all,
    });
    const { commit } = states[1]!;
    const started = performance.now();
    for (let i = 0; i < 1000; i++)
      commit.queryWithProof('evm', benchKey(i * 31), commit.version - (i % KEPT));
    const value = performance.now() - started;
    report({ name: 'proof of a key, each of another version than the last', value, unit: 'µs' });
    for (const state of states) await state.close();
  });
  report({ name: 'memory of a kept version that wrote 200 keys', value: keptMemory() / 1024, unit: 'KiB' });
}

/** Bytes of nodes and values that only one version has. */
function keptMemory(): number {
  const bytesWith = (count: number): number => {
    const tree = new Tree(undefined, 1);
    for (let block = 0; block < KEPT_KEYS / 2000 + 2 * KEPT; block++) {
      const growing = block < KEPT_KEYS / 2000;
      const keys = growing ? 2000 : 200;
      for (let i = 0; i < keys; i++) {
        tree.set(
          benchKey(((growing ? block : block * 7919) * keys + i) % KEPT_KEYS),
          Buffer.alloc(32, block),
        );
      }
      tree.saveVersion();
      if (count > 1 && !growing) tree.keepVersion();
      tree.forgetBelow(tree.version - count + 1);
    }
    return tree.space.arena.count * 4 * STRIDE + tree.space.slab.segments.length * 2 ** 20;
  };
  return (bytesWith(KEPT) - bytesWith(1)) / KEPT;
}

async function million(directory: string, report: Report): Promise<void> {
  const state = await openBenchState(directory);
  const started = performance.now();
  await grow(state, LEAVES, 2000);
  report({
    name: 'memiavl write and log, 1 M keys at 2000 a block (with key making)',
    value: LEAVES / ((performance.now() - started) / 1000),
    unit: 'keys/s',
  });
  const memoryGet = timeGets(state, 200_000);
  const quiet = await timeSnapshot(state);
  report({
    name: 'snapshot of 1 M leaves, until the trees stand on it',
    value: quiet.seconds,
    unit: 's',
    peer: 'Go reference time',
    ratio: quiet.seconds / GO_SNAPSHOT_SECONDS,
  });
  report({ name: 'longest pause of the main thread meanwhile', value: quiet.pauseMs, unit: 'ms' });
  await grow(state, 200, 200);
  const busy = await timeSnapshot(state, () => grow(state, 200, 200));
  report({ name: 'the same beside blocks of 200 keys (p100 of a turn)', value: busy.pauseMs, unit: 'ms' });
  await state.close();

  const opened = performance.now();
  const again = await openBenchState(directory);
  report({
    name: 'open 1 M leaves (and replay the blocks since)',
    value: performance.now() - opened,
    unit: 'ms',
  });
  report({ name: 'random get, 1 M keys, in memory', value: memoryGet, unit: 'µs' });
  timeGets(again, 200_000);
  report({ name: 'random get, 1 M keys, from the snapshot', value: timeGets(again, 200_000), unit: 'µs' });
  await again.close();
}

function timeGets(state: OpenedState, count: number): number {
  const keys = Array.from({ length: count }, (_, i) => benchKey((i * 7919) % LEAVES));
  const started = performance.now();
  let found = 0;
  for (const key of keys) if (state.commit.get('evm', key)) found++;
  const micros = ((performance.now() - started) * 1000) / count;
  assert.equal(found, count);
  return micros;
}

/** Snapshots while turns of the event loop, with `work` in each, are timed. */
async function timeSnapshot(
  state: OpenedState,
  work: () => Promise<void> = async () => undefined,
): Promise<{ seconds: number; pauseMs: number }> {
  const started = performance.now();
  let running = true;
  const snapshot = state.commit.snapshotNow().finally(() => {
    running = false;
  });
  let pauseMs = performance.now() - started;
  while (running) {
    const turn = performance.now();
    await work();
    state.commit.maybeSnapshot();
    await new Promise((resolve) => setImmediate(resolve));
    pauseMs = Math.max(pauseMs, performance.now() - turn);
  }
  await snapshot;
  return { seconds: (performance.now() - started) / 1000, pauseMs };
}

async function appends(directory: string, report: Report): Promise<void> {
  const state = await openBenchState(directory);
  const count = 300;
  const entries = Array.from({ length: count }, (_, i) => ({
    changes: benchBlock(i + 1, 200 * i, 200),
    record: Buffer.alloc(4000, i),
  }));
  const bytes = Buffer.alloc(200 * 95 + 4100);
  const file = await open(join(directory, 'raw'), 'w');
  let raw = 0;
  let logged = 0;
  // In turns, so that both see the same disk.
  for (const entry of entries) {
    const rawStarted = performance.now();
    await file.write(bytes);
    await file.datasync();
    const appendStarted = performance.now();
    await state.changelog.append(entry);
    logged += performance.now() - appendStarted;
    raw += appendStarted - rawStarted;
  }
  await file.close();
  report({
    name: 'changelog append of a 200-key block, durable',
    value: (count * 1000) / logged,
    unit: 'blocks/s',
    peer: 'bare write and fdatasync',
    ratio: raw / logged,
  });
  await state.close();
}

const REPLAYED_BLOCKS = 500;
const BLOCK_KEYS = 2000;
const COMMIT_TARGET_MS = 40;
const REPLAY_TARGET_SECONDS = 10;

/** Blocks of 2,000 keys over 100 k: each hashed and durable, then all of them replayed by an open. */
async function commitsAndReplay(directory: string, report: Report): Promise<void> {
  const state = await openBenchState(directory);
  let milliseconds = 0;
  for (let block = 0; block < REPLAYED_BLOCKS; block++) {
    const from = (block * BLOCK_KEYS) % 100_000;
    const changes = benchBlock(state.commit.version + 1, from, BLOCK_KEYS);
    const started = performance.now();
    state.commit.apply(changes);
    await state.changelog.append({ changes, record: new Uint8Array(0) });
    milliseconds += performance.now() - started;
  }
  const commit = milliseconds / REPLAYED_BLOCKS;
  report({
    name: 'commit of 2,000 keys, hashed and durable',
    value: commit,
    unit: 'ms',
    peer: 'target 40 ms',
    ratio: commit / COMMIT_TARGET_MS,
  });
  await state.close();
  const started = performance.now();
  const again = await openBenchState(directory);
  const seconds = (performance.now() - started) / 1000;
  assert.equal(again.commit.version, REPLAYED_BLOCKS);
  report({
    name: 'replay of 500 blocks of 2,000 keys at open',
    value: seconds,
    unit: 's',
    peer: 'target 10 s',
    ratio: seconds / REPLAY_TARGET_SECONDS,
  });
  await again.close();
}

async function tenMillion(directory: string, report: Report): Promise<void> {
  const keys = 10 * LEAVES;
  const step = 2 * LEAVES;
  const state = await openBenchState(directory);
  for (let from = 0; from < keys; from += step) {
    await grow(state, step, 5000, from);
    const started = performance.now();
    await state.commit.snapshotNow();
    if (from + step === keys) {
      report({ name: 'snapshot of 10 M leaves', value: (performance.now() - started) / 1000, unit: 's' });
    }
    await state.changelog.truncateBefore(state.commit.snapshotVersion);
  }
  await state.close();
  const opener = join(import.meta.dirname, 'stateCommitOpener.ts');
  const printed = execFileSync(process.execPath, [opener, directory, String(keys), '500000'], {
    encoding: 'utf8',
  });
  const opened = JSON.parse(printed) as Record<'openMs' | 'getMicros' | 'found' | 'residentBytes', number>;
  assert.equal(opened.found, 500_000);
  report({ name: 'open 10 M leaves', value: opened.openMs, unit: 'ms' });
  report({ name: 'random get, 10 M keys, cold process', value: opened.getMicros, unit: 'µs' });
  report({ name: 'resident after 500 k random gets', value: opened.residentBytes / 2 ** 20, unit: 'MiB' });
}
