import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { availableBackends, type DbBackend, openLevelDb } from '../../node/src/db/index.ts';
import { openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateStore, type StateStore } from '../../node/src/state/store/index.ts';
import type { BenchOptions, Report } from './bench.ts';

const BLOCK_UPDATES = 2000;
/** The Go reference on two such cores. */
const REFERENCE_READS = 15_000;
/** Its apply: 152 to 212 k keys/s, by the middle. */
const REFERENCE_APPLY = 178_000;
const APPLY_TARGET = 150_000;
const READS = 200_000;

/** A storage key: 0x03 ‖ address 20 ‖ slot 32, spread by a multiplicative hash. */
function storageKey(i: number): Uint8Array {
  const key = Buffer.alloc(53, 0x5a);
  key[0] = 3;
  key.writeUInt32BE(Math.imul(i, 0x9e3779b1) >>> 0, 1);
  key.writeUInt32BE(Math.imul(i ^ 0x5bd1e995, 0x85ebca6b) >>> 0, 40);
  key.writeUInt32BE(i, 49);
  return key;
}

function storageValue(i: number, version: number): Uint8Array {
  const value = Buffer.alloc(32);
  for (let at = 0; at < 24; at += 4) value.writeUInt32BE(Math.imul(i + at * 7919, version + 31) >>> 0, at);
  value.writeUInt32BE(version, 28);
  return value;
}

async function openStore(
  home: string,
  backend: DbBackend = 'pebbledb',
): Promise<{ store: StateStore; close: () => Promise<void> }> {
  const logger = silentLogger;
  const changelog = await openChangelog({ directory: join(home, 'data/changelog') }, { logger });
  const store = await openStateStore(
    {
      home,
      backend,
      split: true,
      separateDbs: false,
      asyncWriteBuffer: 100,
      committedVersion: 0,
    },
    { changelog, logger },
  );
  const close = async (): Promise<void> => {
    await store.close();
    await changelog.close();
  };
  return { store, close };
}

async function temporary<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'chain-bench-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A permutation that visits every key once, far apart. */
const shuffled = (i: number, count: number): number => Number((BigInt(i) * 7_368_787n) % BigInt(count));

async function applyVersions(
  store: StateStore,
  { count, versions: passes }: Shape,
  progress: BenchOptions['progress'],
): Promise<{ created: number; updated: number }> {
  let version = 0;
  const speeds: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    let seconds = 0;
    for (let first = 0; first < count; first += BLOCK_UPDATES) {
      version++;
      const changes = Array.from({ length: Math.min(BLOCK_UPDATES, count - first) }, (_, i) => {
        const k = shuffled(first + i, count);
        return { key: storageKey(k), value: storageValue(k, version) };
      });
      const start = performance.now();
      await store.apply({ version, stores: [{ store: 'evm', changes }] });
      seconds += (performance.now() - start) / 1000;
      progress(`version ${pass + 1} of ${passes}, ${first.toLocaleString('en-US')} of its keys`);
    }
    const start = performance.now();
    await store.flushed();
    seconds += (performance.now() - start) / 1000;
    speeds.push(count / seconds);
  }
  const updates = speeds.slice(1);
  const updated = updates.length / updates.reduce((sum, speed) => sum + 1 / speed, 0);
  return { created: speeds[0]!, updated };
}

function readsPerSecond(reads: number, read: (i: number) => unknown): number {
  const start = performance.now();
  let missing = 0;
  for (let i = 0; i < reads; i++) if (read(i) === undefined) missing++;
  if (missing > 0) throw new RangeError(`${missing} of ${reads} reads found nothing`);
  return reads / ((performance.now() - start) / 1000);
}

async function rawReadsPerSecond(
  count: number,
  random: () => number,
  progress: BenchOptions['progress'],
): Promise<number> {
  return temporary(async (directory) => {
    const db = await openLevelDb({ directory, cacheBytes: 128 << 20 });
    for (let first = 0; first < count; first += 10_000) {
      const length = Math.min(10_000, count - first);
      const rows = Array.from({ length }, (_, i) => first + i);
      await db.batch(
        rows.map((i) => ({ type: 'put', key: storageKey(i), value: storageValue(i, 1) }) as const),
      );
      progress(`raw LevelDB: ${first.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} keys`);
    }
    const speed = readsPerSecond(READS, () => db.get(storageKey(Math.floor(random() * count))));
    await db.close();
    return speed;
  });
}

/** Deterministic, so that runs compare. */
function randomNumbers(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Shape {
  readonly count: number;
  readonly versions: number;
  readonly backend: DbBackend;
}

async function manyKeys(
  shaped: Shape,
  raw: number,
  { report, progress }: { readonly report: Report; readonly progress: BenchOptions['progress'] },
): Promise<void> {
  const { count, versions, backend } = shaped;
  const engine = backend === 'rocksdb' ? 'RocksDB' : 'LevelDB';
  const shape = `${count.toLocaleString('en-US')} keys × ${versions}, ${engine}`;
  await temporary(async (home) => {
    const first = await openStore(home, backend);
    const { created, updated } = await applyVersions(first.store, shaped, progress);
    for (const [what, value] of [
      ['new keys', created],
      ['updates', updated],
    ] as const) {
      const row = { name: `apply, ${shape}, ${what}`, value, unit: 'keys/s' };
      report({ ...row, peer: 'target 150 k/s', ratio: value / APPLY_TARGET });
      report({ ...row, peer: 'reference 178 k/s', ratio: value / REFERENCE_APPLY });
    }
    const blocks = Math.ceil(count / BLOCK_UPDATES);
    const random = randomNumbers();
    const key = (): Uint8Array => storageKey(Math.floor(random() * count));
    for (const [age, version] of [
      ['newest', blocks * versions],
      ['oldest', blocks],
    ] as const) {
      const value = readsPerSecond(READS, () => first.store.get('evm', key(), version));
      const row = { name: `random read, ${age} version, ${shape}`, value, unit: 'reads/s' };
      report({ ...row, peer: 'reference 15 k/s', ratio: value / REFERENCE_READS });
      report({ ...row, peer: 'raw getSync', ratio: value / raw });
    }
    await first.close();
  });
}

async function hotKey(
  writes: number,
  raw: number,
  { report, progress }: { readonly report: Report; readonly progress: BenchOptions['progress'] },
): Promise<void> {
  await temporary(async (home) => {
    const { store, close } = await openStore(home);
    const key = storageKey(7);
    const waiting: Promise<void>[] = [];
    for (let version = 1; version <= writes; version++) {
      const changes = [{ key, value: storageValue(7, version) }];
      waiting.push(store.apply({ version, stores: [{ store: 'evm', changes }] }));
      if (version % 1000 !== 0) continue;
      await Promise.all(waiting.splice(0));
      progress(`one key: ${version.toLocaleString('en-US')} of ${writes.toLocaleString('en-US')} writes`);
    }
    await store.flushed();
    const random = randomNumbers();
    for (const [age, version] of [
      ['newest', () => writes],
      ['oldest', () => 1],
      ['random', () => 1 + Math.floor(random() * writes)],
    ] as const) {
      const value = readsPerSecond(100_000, () => store.get('evm', key, version()));
      const name = `read of a key with ${writes.toLocaleString('en-US')} writes, ${age}`;
      report({ name, value, unit: 'reads/s', peer: 'reference 15 k/s', ratio: value / REFERENCE_READS });
      report({ name, value, unit: 'reads/s', peer: 'raw getSync', ratio: value / raw });
    }
    await close();
  });
}

/** SS: point reads by age, apply, and a key with very many versions. */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const scale = full ? 1 : 0.1;
  const raw = await rawReadsPerSecond(1_000_000 * scale, randomNumbers(), progress);
  report({ name: 'raw classic-level getSync', value: raw, unit: 'reads/s' });
  for (const backend of availableBackends()) {
    for (const [count, versions] of [
      [1_000_000 * scale, 10],
      [100_000 * scale, 100],
    ] as const) {
      await manyKeys({ count, versions, backend }, raw, { report, progress });
    }
  }
  await hotKey(1_000_000 * scale, raw, { report, progress });
}
