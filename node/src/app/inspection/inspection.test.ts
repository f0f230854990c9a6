import { execFile } from 'node:child_process';
import { cp, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { silentLogger } from '@chain/platform';
import { CONFIG_FILES, DATA_DIRS } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CHAIN_ID, initialiseHome, loadConfig } from '../../config/index.ts';
import { availableBackends, type DbBackend, openKeyValueDb } from '../../db/index.ts';
import { DEVELOPMENT_BALANCE_WEI } from '../../execution/index.ts';
import { createValidatorKey, DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../keys/index.ts';
import { snapshotVersions } from '../../state/commit/index.ts';
import type { RunningNode } from '../node.ts';
import { openNode } from '../openNode.ts';
import { inspectState } from './inspectState.ts';
import { verifyState } from './verifyState.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/chaind.js', import.meta.url));
const SNAPSHOT_INTERVAL = 4;
/** Below the second snapshot, so that the first stays the newest. */
const HEIGHT = 7;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'inspection-'));
});
afterAll(() => rm(root, { recursive: true }));

const runOf = (home: string, flags: Record<string, string> = {}) => ({ home, flags, environment: {} });

/** A home with a snapshot of SC and some blocks behind it; made once, copied for each test. */
const made = new Map<string, Promise<string>>();
async function homeWith(backend: DbBackend, split: boolean): Promise<string> {
  const name = `${backend}-${split}`;
  if (!made.has(name)) made.set(name, makeHome(join(root, name), backend, split));
  const copy = await mkdtemp(join(root, `${name}-`));
  await cp(await made.get(name)!, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function makeHome(home: string, backend: DbBackend, split: boolean): Promise<string> {
  await initialiseHome({
    home,
    moniker: 'm',
    chainId: DEFAULT_CHAIN_ID,
    mode: 'rpc',
    engine: 'embedded',
    overwrite: false,
    accounts: deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 3 }).map((account) => ({
      ...account,
      balanceWei: DEVELOPMENT_BALANCE_WEI,
    })),
    settings: {
      'evm.http_port': 0,
      'evm.ws_port': 0,
      'admin.enabled': false,
      'grpc.enable': false,
      'api.enable': false,
      'state-store.ss-backend': backend,
      'state-store.evm-ss-split': split,
      'state-commit.sc-snapshot-interval': SNAPSHOT_INTERVAL,
    },
  });
  await runUntil(home, HEIGHT);
  return home;
}

/** Makes blocks up to `height`, and none behind it. */
async function runUntil(home: string, height: number): Promise<void> {
  const { promise: halted, resolve: onFatal } = Promise.withResolvers<unknown>();
  const node = await run(home, { 'halt-height': String(height) }, onFatal);
  expect(await halted).toMatchObject({ code: 'APP_HALT_HEIGHT' });
  const snapshot = height - (height % SNAPSHOT_INTERVAL);
  await expect.poll(() => snapshotVersions(join(home, DATA_DIRS.memiavl)).current).toBe(snapshot);
  await node.close();
}

async function run(
  home: string,
  flags: Record<string, string> = {},
  onFatal: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<RunningNode> {
  const config = await loadConfig({ home, flags: { 'rpc.laddr': '', ...flags } });
  return openNode({ config, blockTimeMs: 10 }, { logger: silentLogger, onFatal });
}

/** Names, sizes and times of all files: what changes when anything is written. */
async function fingerprint(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => {
      const { size, mtimeMs, ino } = await stat(file);
      return `${file} ${size} ${mtimeMs} ${ino}`;
    }),
  );
}

const verify = (home: string, height?: number) =>
  verifyState({ ...runOf(home), ...(height !== undefined && { height }) }, () => undefined);

/** Changes the first row of a database that `isRow` accepts; `undefined` deletes it. */
async function plant(
  place: { readonly backend: DbBackend; readonly directory: string },
  isRow: (key: Uint8Array) => boolean,
  change: (value: Uint8Array) => Uint8Array | undefined,
): Promise<void> {
  const db = await openKeyValueDb(place);
  for await (const [key, value] of db.iterate()) {
    if (!isRow(key)) continue;
    const next = change(Uint8Array.from(value));
    await db.batch([next ? { type: 'put', key, value: next } : { type: 'del', key }], { sync: true });
    break;
  }
  await db.close();
}

const isHead = (key: Uint8Array): boolean => key[0] === 0x68;
const flipped = (at: number) => (value: Uint8Array) => {
  value[at]! ^= 1;
  return value;
};

describe.each(availableBackends())('with %s', (backend) => {
  it('tells what is on disk and that it would start, and changes nothing', async () => {
    const home = await homeWith(backend, true);
    const before = await fingerprint(home);
    const found = await inspectState(runOf(home));
    expect(found).toMatchObject({ backend, split: true, runningPid: undefined });
    expect(found.start).toMatchObject({ starts: true, warnings: [] });
    const layer = (name: string) => found.layers.find((each) => each.name === name);
    for (const name of ['base SS', 'EVM SS']) {
      expect(layer(name)).toMatchObject({ present: true, backend, latest: found.start.height, earliest: 0 });
    }
    expect(layer('changelog')).toMatchObject({ latest: found.start.height });
    expect(layer('history')).toMatchObject({ latest: found.start.height, earliest: 1 });
    expect(layer('SC (memiavl)')!.latest).toBe(SNAPSHOT_INTERVAL);
    expect((await verify(home)).equal).toBe(true);
    expect(await fingerprint(home)).toEqual(before);
  });

  it('is told by the program, which then ends', async () => {
    const home = await homeWith(backend, true);
    const args = [PROGRAM, 'state', 'inspect', '--json', '--home', home];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toMatchObject({ home, start: { starts: true } });
  });

  it('names the first difference that is planted in either store of SS', async () => {
    const home = await homeWith(backend, true);
    await plant({ backend, directory: join(home, DATA_DIRS[backend]) }, isHead, flipped(8));
    await plant({ backend, directory: join(home, DATA_DIRS.evmStore) }, isHead, () => undefined);
    const { equal, layers } = await verify(home);
    expect(equal).toBe(false);
    const [base, evm] = ['base SS', 'EVM SS'].map((name) => layers.find((each) => each.name === name)!);
    expect(base!.difference).toMatchObject({ what: 'value' });
    expect(base!.difference!.expected).not.toBe(base!.difference!.found);
    expect(evm!.difference).toMatchObject({ store: 'evm', what: 'missing key', found: 'nothing' });
    expect(layers.find(({ name }) => name === 'SC (memiavl)')!.result).toBe('equal');
  });
});

describe('chaind state inspect', () => {
  it('names an EVM store that is left over, and says why the split cannot be put back', async () => {
    const home = await homeWith('pebbledb', true);
    const off = await inspectState(runOf(home, { 'state-store.evm-ss-split': 'false' }));
    expect(off.layers.find(({ name }) => name === 'EVM SS')!.note).toContain('orphaned');
    expect(off.start.warnings).toEqual([expect.stringContaining('left on disk unused')]);
    await rm(join(home, DATA_DIRS.evmStore), { recursive: true });
    const on = await inspectState(runOf(home));
    expect(on.start).toMatchObject({ starts: false, code: 'STORE_EVM_DIRECTORY' });
    expect(on.start.reason).toContain(join(home, DATA_DIRS.evmStore));
    expect(on.layers.find(({ name }) => name === 'EVM SS')!.present).toBe(false);
  });

  it('refuses what a start refuses or finishes first: half a restore, half a rollback', async () => {
    const home = await homeWith('pebbledb', false);
    const restore = join(home, 'data/restore.json');
    await writeFile(restore, JSON.stringify({ height: 7, directories: [join(home, 'data/pebbledb')] }));
    const { start } = await inspectState(runOf(home));
    expect(start).toMatchObject({ starts: false, reason: expect.stringContaining('snapshot import') });
    await expect(verify(home)).rejects.toMatchObject({ code: start.code });
    await rm(restore);
    const journal = { from: 9, target: 5, resetSignState: false };
    await writeFile(join(home, 'data/rollback.json'), JSON.stringify(journal));
    const warnings = [expect.stringContaining('height 5 was cut short')];
    expect((await inspectState(runOf(home))).start).toMatchObject({ starts: true, height: 5, warnings });
    await expect(verify(home)).rejects.toMatchObject({ code: 'APP_ROLLBACK_UNFINISHED' });
    const key = join(home, CONFIG_FILES.validatorKey);
    await rm(key);
    await createValidatorKey(key);
    expect((await inspectState(runOf(home))).start).toMatchObject({
      starts: false,
      code: 'APP_NOT_THE_VALIDATOR',
    });
  });

  it('works while the node runs, and names its process', async () => {
    const home = await homeWith('pebbledb', true);
    const node = await run(home);
    try {
      const found = await inspectState(runOf(home));
      expect(found.runningPid).toBe(process.pid);
      expect(found.start.starts).toBe(true);
    } finally {
      await node.close();
    }
  });
});

/** The checksums that a file of one page has: of the page, and of that. */
function sumsOfOnePage(bytes: Buffer): Buffer {
  const sums = Buffer.alloc(8);
  sums.writeUInt32LE(crc32(bytes), 0);
  sums.writeUInt32LE(crc32(sums.subarray(0, 4)), 4);
  return sums;
}

describe('chaind state verify', () => {
  it('compares at a height below the newest', async () => {
    const home = await homeWith('pebbledb', false);
    const newest = await verify(home);
    expect(
      newest.layers.every(({ result }) => result === 'equal'),
      JSON.stringify(newest.layers),
    ).toBe(true);
    const earlier = await verify(home, newest.height - 1);
    expect(earlier).toMatchObject({ equal: true, height: newest.height - 1 });
    await expect(verify(home, newest.height + 1)).rejects.toMatchObject({ code: 'APP_HEIGHT_OUT_OF_REACH' });
  });

  it('says that FlatKV is not there, and compares below the newest height of a chain that began above 1', async () => {
    const home = await homeWith('pebbledb', false);
    const genesis = join(home, 'config/genesis.json');
    const doc = JSON.parse(await readFile(genesis, 'utf8')) as object;
    await writeFile(genesis, JSON.stringify({ ...doc, initial_height: '1000' }));
    for (const name of await readdir(join(home, 'data'))) {
      if (name !== 'priv_validator_state.json') await rm(join(home, 'data', name), { recursive: true });
    }
    await runUntil(home, 1003);
    expect(await verify(home, 1001)).toMatchObject({ height: 1001, equal: true });
    await rm(join(home, 'data/flatkv'), { recursive: true });
    const { equal, layers } = await verify(home);
    expect(equal).toBe(true);
    expect(layers.at(-1)).toEqual({ name: 'SC (FlatKV)', result: expect.stringContaining('not there') });
  });

  it('names a leaf of SC that was changed on disk', async () => {
    const home = await homeWith('pebbledb', false);
    const directory = join(home, DATA_DIRS.memiavl, 'current');
    const kvs = join(directory, 'bank', 'kvs');
    const file = await open(kvs, 'r+');
    const bytes = await readFile(kvs);
    await file.write(Uint8Array.of(bytes.at(-1)! ^ 1), 0, 1, bytes.length - 1);
    await file.close();
    await expect(verify(home)).rejects.toMatchObject({
      code: 'STATE_COMMIT_SNAPSHOT_DAMAGED',
      message: expect.stringContaining('bank/kvs does not match its checksum at offset 0'),
    });
    await writeFile(`${kvs}.crc`, sumsOfOnePage(await readFile(kvs)));
    const { layers } = await verify(home);
    const trees = layers.find(({ name }) => name === 'SC (memiavl)')!;
    expect(trees.difference).toMatchObject({
      store: 'bank',
      what: expect.stringContaining('hash of a leaf'),
    });
  });

  it('names a row of FlatKV that was changed', async () => {
    const home = await homeWith('pebbledb', false);
    const directory = join(home, DATA_DIRS.flatKv, 'working/misc');
    const isRow = (key: Uint8Array): boolean => !Buffer.from(key).toString('latin1').startsWith('_meta/');
    await plant({ backend: 'pebbledb', directory }, isRow, (value) => flipped(value.length - 1)(value));
    const { layers } = await verify(home);
    const flat = layers.find(({ name }) => name === 'SC (FlatKV)')!;
    expect(flat, JSON.stringify(flat)).toMatchObject({ difference: { store: 'misc', what: 'value' } });
  });
});
