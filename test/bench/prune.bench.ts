import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { silentLogger } from '@chain/platform';
import { openLevelDb } from '../../node/src/db/index.ts';
import { openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateStore, type StateStoreOptions } from '../../node/src/state/store/index.ts';
import type { BenchOptions, Report } from './bench.ts';

const VERSIONS = 250;
const BLOCK_UPDATES = 2000;
/** The Go reference on two such cores. */
const REFERENCE_SECONDS = { base: 2.8, split: 2.1 };
const TARGET_SECONDS = 3;
const STALL_MS = 50;

function storageKey(i: number): Uint8Array {
  const key = Buffer.alloc(53, 0x5a);
  key[0] = 3;
  key.writeUInt32BE(Math.imul(i, 0x9e3779b1) >>> 0, 1);
  key.writeUInt32BE(i, 49);
  return key;
}

function valueAt(i: number, version: number): Uint8Array {
  const value = Buffer.alloc(32);
  for (let at = 0; at < 28; at += 4) value.writeUInt32BE(Math.imul(i + at * 7919, version + 31) >>> 0, at);
  value.writeUInt32BE(version, 28);
  return value;
}

async function temporary<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'chain-bench-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Least that a prune which rewrites a head a key must do: read each row and write it again, in batches. */
async function rewriteSeconds(keys: number): Promise<number> {
  return temporary(async (directory) => {
    const db = await openLevelDb({ directory });
    const rows = Array.from({ length: keys }, (_, i) => storageKey(i)).sort(Buffer.compare);
    const slices = Array.from({ length: Math.ceil(keys / 512) }, (_, i) =>
      rows.slice(i * 512, (i + 1) * 512),
    );
    for (const slice of slices) {
      await db.batch(slice.map((key) => ({ type: 'put', key, value: Buffer.alloc(300, key) })));
    }
    const started = performance.now();
    for (const slice of slices) {
      const values = await db.getMany(slice);
      const operations = slice.map(
        (key, i) => ({ type: 'put', key, value: values[i]!.subarray(100) }) as const,
      );
      await db.batch(operations, { sync: true });
    }
    const seconds = (performance.now() - started) / 1000;
    await db.close();
    return seconds;
  });
}

async function prune(report: Report, keys: number, layout: Pick<StateStoreOptions, 'split'>): Promise<void> {
  await temporary(async (home) => {
    const logger = silentLogger;
    const changelog = await openChangelog({ directory: join(home, 'data/changelog') }, { logger });
    const options = {
      backend: 'pebbledb',
      separateDbs: false,
      asyncWriteBuffer: 100,
      committedVersion: 0,
    } as const;
    const store = await openStateStore({ home, ...options, ...layout, keepRecent: 1 }, { changelog, logger });
    const random = (i: number): number => Math.imul(i ^ (i >>> 15), 0x2c1b3c6d) >>> 0;
    for (let version = 1; version <= VERSIONS + 10; version++) {
      const rows = new Map<number, Uint8Array>();
      for (let i = 0; i < BLOCK_UPDATES; i++) {
        const k = random(version * BLOCK_UPDATES + i) % keys;
        rows.set(k, valueAt(k, version));
      }
      const changes = [...rows].map(([k, value]) => ({ key: storageKey(k), value }));
      await store.apply({ version, stores: [{ store: 'evm', changes }] });
    }
    await store.flushed();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = performance.now();
    let isDone = false;
    const pruned = store.prune(VERSIONS).finally(() => {
      isDone = true;
    });
    let slowestRead = 0;
    for (let i = 0; !isDone; i++) {
      const before = performance.now();
      store.get('evm', storageKey(random(i) % keys), VERSIONS + 5);
      slowestRead = Math.max(slowestRead, performance.now() - before);
      await new Promise(setImmediate);
    }
    await pruned;
    const value = (performance.now() - started) / 1000;
    delay.disable();
    const shape = `${VERSIONS} versions × ${BLOCK_UPDATES} updates of ${keys.toLocaleString('en-US')} keys, ${layout.split ? 'split' : 'one store'}`;
    const row = { name: `prune, ${shape}`, value, unit: 's' };
    report({ ...row, peer: 'target 3 s', ratio: value / TARGET_SECONDS });
    const reference = layout.split ? REFERENCE_SECONDS.split : REFERENCE_SECONDS.base;
    report({ ...row, peer: `reference ${reference} s`, ratio: value / reference });
    const raw = await rewriteSeconds(keys);
    report({ ...row, peer: 'raw read and rewrite of the rows', ratio: value / raw });
    const stall = { name: `longest stall of the event loop, ${shape}`, value: delay.max / 1e6, unit: 'ms' };
    report({ ...stall, peer: 'limit 50 ms', ratio: stall.value / STALL_MS });
    report({ name: `slowest read meanwhile, ${shape}`, value: slowestRead, unit: 'ms' });
    await store.close();
    await changelog.close();
  });
}

/** SS: what a prune costs, and what reads feel of it. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  for (const split of [false, true]) {
    await prune(report, 100_000, { split });
    if (full) await prune(report, 1_000_000, { split });
    await prune(report, 4_000, { split });
  }
}
