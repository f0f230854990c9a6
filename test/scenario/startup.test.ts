import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyValueDb } from '../../node/src/db/index.ts';
import { earliestMarker } from '../../node/src/state/store/versionMarkers.ts';
import { logRecords } from '../support/chaind.ts';
import { startDevNode } from '../support/devNode.ts';
import {
  COUNTER_CODE,
  countOf,
  createHomes,
  edit,
  heightOf,
  JSON_LOG,
  type MadeChain,
  makeChain,
  refusalOf,
  send,
  start,
} from '../support/madeChain.ts';
import { rpcCall } from '../support/rpcCall.ts';

const REMEDY =
  'complete the state sync (remove a stale EVM SS directory before it), or set evm-ss-split = false and restart';
const UNUSED = /left on disk unused/;
const homes = createHomes();
let one: MadeChain;
let two: MadeChain;
beforeAll(async () => {
  [one, two] = await Promise.all([makeChain(homes.fresh(), false), makeChain(homes.fresh(), true)]);
});
afterAll(() => homes.remove());

describe('the split switched on without a state sync', () => {
  it('is refused where the EVM SS directory is missing, and none is left behind', async () => {
    const home = homes.copyOf(one.home);
    edit(home, 'evm-ss-split', 'true');
    const evm = join(home, 'data/evm_ss');
    for (const round of ['the first start', 'a second one']) {
      const line = refusalOf(await start(home));
      expect(line, round).toMatch(
        new RegExp(
          `EVM SS directory "${evm}" does not exist but the base SS already has history up to version \\d+`,
        ),
      );
      expect(line).toContain(REMEDY);
      expect(existsSync(evm)).toBe(false);
    }
    edit(home, 'evm-ss-split', 'false');
    const node = await startDevNode({ home, blockTimeMs: 100 });
    expect(await countOf(node, one.counter)).toBe(2n);
    expect(await node.stop()).toBe(0);
  });

  it('is refused where the directory is empty', async () => {
    const home = homes.copyOf(one.home);
    edit(home, 'evm-ss-split', 'true');
    mkdirSync(join(home, 'data/evm_ss'));
    const line = refusalOf(await start(home));
    expect(line).toContain('data/evm_ss" is empty but the base SS already has history');
    expect(line).toContain(REMEDY);
    expect(readdirSync(join(home, 'data/evm_ss'))).toEqual([]);
  });

  it('is refused where the databases are empty, although the changelog reaches back', async () => {
    const home = homes.copyOf(one.home);
    edit(home, 'evm-ss-split', 'true');
    const db = await openKeyValueDb({ backend: 'pebbledb', directory: join(home, 'data/evm_ss') });
    await db.close();
    const line = refusalOf(await start(home));
    expect(line).toMatch(/EVM SS in ".*data\/evm_ss" is empty but the base SS already has history/);
    expect(line).toContain(REMEDY);
  });

  it('is refused where the earliest versions differ', async () => {
    const home = homes.copyOf(two.home);
    const db = await openKeyValueDb({ backend: 'pebbledb', directory: join(home, 'data/evm_ss') });
    await db.batch([earliestMarker(3)], { sync: true });
    await db.close();
    const line = refusalOf(await start(home));
    expect(line).toMatch(/EVM SS earliest version 3 does not match base SS earliest version [01]:/);
    expect(line).toContain(REMEDY);
  });
});

describe('the split switched off and on again', () => {
  it('misses EVM state while it is off, and catches up from the complete changelog', async () => {
    const home = homes.copyOf(two.home);
    edit(home, 'evm-ss-split', 'false');
    const stranger = '0x00000000000000000000000000000000000c0ffe';
    const off = await startDevNode({ home, blockTimeMs: 100, args: JSON_LOG });
    const warning = logRecords(off.output()).find(({ msg }) => UNUSED.test(String(msg)));
    expect(warning).toMatchObject({ level: 'warn', dir: join(home, 'data/evm_ss') });
    expect(await rpcCall(off.url, 'eth_getCode', [two.counter, 'latest'])).toBe('0x');
    expect(await countOf(off, two.counter)).toBe(0n);
    // Execution reads SC, which knows all.
    expect(await send(off, 3, { to: two.counter })).toMatchObject({ status: '0x1' });
    await send(off, 4, { to: stranger, value: 5n });
    // A balance is no EVM row.
    expect(await rpcCall(off.url, 'eth_getBalance', [stranger, 'latest'])).toBe('0x5');
    const height = await heightOf(off);
    expect(await off.stop()).toBe(0);

    edit(home, 'evm-ss-split', 'true');
    const on = await startDevNode({ home, blockTimeMs: 100, args: JSON_LOG });
    expect(on.output()).not.toMatch(UNUSED);
    expect(await heightOf(on)).toBeGreaterThanOrEqual(height);
    expect(await countOf(on, two.counter, two.height)).toBe(2n);
    expect(await countOf(on, two.counter, height)).toBe(3n);
    expect(await countOf(on, two.counter)).toBe(3n);
    expect(await rpcCall(on.url, 'eth_getCode', [two.counter, 'latest'])).toBe(COUNTER_CODE);
    expect(await rpcCall(on.url, 'eth_getBalance', [stranger, 'latest'])).toBe('0x5');
    expect(await on.stop()).toBe(0);
  });
});

describe('the startup lines', () => {
  /** Message and fields of what the state store logs at its start. */
  const linesOf = (printed: string) =>
    logRecords(printed)
      .filter(({ msg }) => /^SeiDB |^EVM state store enabled$/.test(String(msg)))
      .map(({ time: _time, ...record }) => record);
  const common = { level: 'info', room: 'state/store' };

  it('are all three with the split', () => {
    expect(linesOf(two.printed)).toEqual([
      { ...common, msg: 'SeiDB SS is enabled', backend: 'pebbledb' },
      { ...common, msg: 'SeiDB EVM StateStore optimization is enabled', separateDBs: false },
      { ...common, msg: 'EVM state store enabled', dir: join(two.home, 'data/evm_ss'), separateDBs: false },
    ]);
  });

  it('are only the first without it', () => {
    expect(linesOf(one.printed)).toEqual([{ ...common, msg: 'SeiDB SS is enabled', backend: 'pebbledb' }]);
  });
});
