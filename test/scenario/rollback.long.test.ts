import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyState } from '../../node/src/app/index.ts';
import { developmentAccount } from '../support/accounts.ts';
import { complaints } from '../support/chaind.ts';
import { chaindHere } from '../support/chaindHere.ts';
import { startDevNode } from '../support/devNode.ts';
import { deployLoad } from '../support/load.ts';
import { createHomes, edit, heightOf } from '../support/madeChain.ts';
import { createRandom } from '../support/random.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
/** Per layout; `npm run test:soak` asks for more. */
const KILLS = Number(process.env.ROLLBACK_KILLS ?? 1);
const BLOCKS = 45;
const homes = createHomes();
afterAll(() => homes.remove());

interface Known {
  readonly home: string;
  readonly latest: number;
  /** By height, as the node told. */
  readonly blocks: ReadonlyMap<number, unknown>;
  readonly balances: ReadonlyMap<number, Hex>;
}

const SENDER = developmentAccount(0).address;
const journalOf = (home: string): string => join(home, 'data/rollback.json');
const atHeight = (height: number): Hex => `0x${height.toString(16)}`;

async function readBlocks(url: string, from: number, to: number) {
  const blocks = new Map<number, unknown>();
  const balances = new Map<number, Hex>();
  for (let height = from; height <= to; height++) {
    blocks.set(height, await rpcCall(url, 'eth_getBlockByNumber', [atHeight(height), true]));
    balances.set(height, await rpcCall<Hex>(url, 'eth_getBalance', [SENDER, atHeight(height)]));
  }
  return { blocks, balances };
}

/** A chain under load whose snapshots are ten blocks apart. */
async function makeLoaded(split: boolean): Promise<Known> {
  const home = homes.fresh();
  const args = ['--set', 'state-commit.sc-snapshot-interval=10', '--set', 'state-commit.sc-keep-recent=2'];
  const node = await startDevNode({ home, split, blockTimeMs: 40, args });
  try {
    const load = await deployLoad(node.url, createRandom(SEED + Number(split)));
    const running = load.run(node.url);
    await until(
      'the chain is long enough',
      async () => (await heightOf(node)) > BLOCKS || undefined,
      240_000,
    );
    expect(await node.stop()).toBe(0);
    await running;
  } finally {
    await node.kill9();
  }
  const reader = await startDevNode({ home, split, blockTimeMs: 0 });
  try {
    const latest = await heightOf(reader);
    return { home, latest, ...(await readBlocks(reader.url, 1, latest)) };
  } finally {
    await reader.kill9();
  }
}

const loaded = new Map<boolean, Promise<Known>>();

/** Made once for all tests of a layout. */
function loadedChain(split: boolean): Promise<Known> {
  const made = loaded.get(split) ?? makeLoaded(split);
  loaded.set(split, made);
  return made;
}

/** Runs a rollback that kills itself at some point; gives how often it told of its progress, if it came to its end. */
async function killedRollback(home: string, height: number, killAt: number): Promise<number | undefined> {
  const child = spawn(
    process.execPath,
    [GENERAL_WRAPPERS, 'test/support/killedRollback.ts', home, String(height), String(killAt)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const code = new Promise<number | null>((ended) => child.on('close', ended));
  const told = await text(child.stdout);
  return (await code) === 0 ? Number(told) : undefined;
}

/** All layers agree, and the node at the target shows what it showed then. */
async function expectAt(height: number, home: string, known: Known, split: boolean): Promise<void> {
  const verified = await verifyState({ home, flags: {}, environment: {} }, () => undefined);
  expect(verified).toMatchObject({ height, equal: true });
  const node = await startDevNode({ home, split, blockTimeMs: 50 });
  try {
    const from = Math.max(1, height - 8);
    const { blocks, balances } = await readBlocks(node.url, from, height);
    for (const [at, block] of blocks) expect(block).toEqual(known.blocks.get(at));
    for (const [at, balance] of balances) expect(balance).toBe(known.balances.get(at));
    await expect.poll(() => heightOf(node), { timeout: 60_000, interval: 50 }).toBeGreaterThan(height + 2);
    const next = await rpcCall<{ hash: Hex }>(node.url, 'eth_getBlockByNumber', [
      atHeight(height + 1),
      false,
    ]);
    expect(next.hash).not.toBe((known.blocks.get(height + 1) as { hash: Hex }).hash);
    expect(await node.stop()).toBe(0);
  } finally {
    await node.kill9();
  }
}

describe.each([
  { layout: 'one store', split: false },
  { layout: 'the split layout', split: true },
])('a rollback on $layout', ({ split }) => {
  const random = createRandom(SEED ^ (split ? 0x5a5a : 0));
  let known: Known;
  beforeAll(async () => {
    known = await loadedChain(split);
  }, 600_000);

  it('takes every store back together, says what is lost, and lets the chain go on', async () => {
    const home = homes.copyOf(known.home);
    const target = known.latest - 7;
    const done = await chaindHere(['rollback', '--home', home, '-n', '7', '--yes', '--output', 'json']);
    expect(done).toMatchObject({ code: 0 });
    expect(JSON.parse(done.out)).toMatchObject({ outcome: 'done', height: target });
    expect(done.err).toMatch(new RegExp(`^The chain goes back from height ${known.latest} .* to ${target} `));
    expect(done.err).toContain(`Lost: blocks ${target + 1} to ${known.latest} (7) with `);
    await expectAt(target, home, known, split);
  }, 300_000);

  it('keeps no FlatKV of blocks that are gone, also where it is off', async () => {
    const home = homes.copyOf(known.home);
    const off = ['--set', 'state-commit.sc-flatkv=off'];
    expect((await chaindHere(['rollback', '--home', home, '-n', '3', '--yes', ...off])).code).toBe(0);
    const without = await startDevNode({ home, split, blockTimeMs: 40, args: off });
    await expect
      .poll(() => heightOf(without), { timeout: 60_000, interval: 50 })
      .toBeGreaterThan(known.latest);
    expect(await without.stop()).toBe(0);
    const shadowed = await startDevNode({ home, split, blockTimeMs: 40 });
    await until('it goes on', async () => (await heightOf(shadowed)) > known.latest + 2, 60_000);
    expect(await shadowed.stop()).toBe(0);
    const verified = await verifyState({ home, flags: {}, environment: {} }, () => undefined);
    expect(verified).toMatchObject({ equal: true });
  }, 300_000);

  it(
    `is finished after kill -9 at any point (${KILLS} kills, seed ${SEED})`,
    async () => {
      const lowest = Math.floor((known.latest - 1) / 10) * 10 - 10;
      for (let kill = 0; kill < KILLS; kill++) {
        const home = homes.copyOf(known.home);
        const target = lowest + random.below(known.latest - lowest);
        // Blocks once for each store, then the other steps; the first kill falls between those.
        const points = (known.latest - target) * (split ? 2 : 1) + 3;
        await killedRollback(home, target, kill === 0 ? points - 1 : 1 + random.below(points));
        expect(existsSync(journalOf(home))).toBe(true);
        if (kill % 2 === 1) await killedRollback(home, target, 1 + random.below(points));
        if (kill % 3 > 0 || !existsSync(journalOf(home))) {
          await expectFinished(home, target);
          await expectAt(target, home, known, split);
        } else await expectAtAfterStart(target, home);
      }

      async function expectFinished(home: string, height: number): Promise<void> {
        if (!existsSync(journalOf(home))) return;
        const done = await chaindHere([
          'rollback',
          '--home',
          home,
          '--to-height',
          '1',
          '--yes',
          '--output',
          'json',
        ]);
        expect(done).toMatchObject({ code: 0 });
        expect(JSON.parse(done.out)).toMatchObject({ outcome: 'finished an interrupted one', height });
      }

      async function expectAtAfterStart(target: number, home: string): Promise<void> {
        const node = await startDevNode({ home, split, blockTimeMs: 0 });
        expect(await heightOf(node)).toBe(target);
        expect(await node.stop()).toBe(0);
        await expectAt(target, home, known, split);
      }
    },
    60_000 + KILLS * 240_000,
  );
});

describe('a rollback is refused', () => {
  let home: string;
  beforeAll(async () => {
    home = (await loadedChain(false)).home;
  }, 600_000);
  const refusal = async (where: string, ...args: string[]): Promise<string> => {
    const outcome = await chaindHere(['rollback', '--home', where, '--yes', ...args]);
    expect(outcome.code).toBe(1);
    return complaints(outcome).at(-1)!;
  };

  it('while the node runs', async () => {
    const own = homes.copyOf(home);
    const node = await startDevNode({ home: own, blockTimeMs: 1000 });
    expect(await refusal(own)).toMatch(/data\/changelog is in use by process \d+; stop that process first$/);
    await node.kill9();
  });

  it('where a store cannot follow, and names it', async () => {
    const shallow = homes.copyOf(home);
    const commit = join(shallow, 'data/committer.db');
    const newest = basename(readlinkSync(join(commit, 'current')));
    for (const name of readdirSync(commit)) {
      if (/^snapshot-/.test(name) && name !== newest) rmSync(join(commit, name), { recursive: true });
    }
    rmSync(join(commit, 'current'));
    symlinkSync(newest, join(commit, 'current'));
    expect(await refusal(shallow, '--to-height', '2')).toMatch(
      /height 2 cannot be gone back to: the oldest snapshot of the state .* is of \d+; choose \d+ or above, or state sync/,
    );
    expect(await refusal(home, '--to-height', '99999')).toMatch(
      /the chain is at height \d+: it cannot be rolled back/,
    );
    const pruned = homes.copyOf(home);
    // Without more blocks: however long it takes, the floor stays right below the newest.
    const node = await startDevNode({
      home: pruned,
      blockTimeMs: 0,
      args: ['--set', 'state-store.ss-keep-recent=3'],
    });
    await expect
      .poll(() => rpcCall(node.url, 'eth_getBalance', [SENDER, '0x5']).then(() => 'found', String), {
        timeout: 120_000,
      })
      .toMatch(/has been pruned; earliest available is \d+/);
    expect(await node.stop()).toBe(0);
    expect(await refusal(pruned, '-n', '12', '--set', 'state-store.ss-keep-recent=3')).toMatch(
      /the state store was pruned \(ss-keep-recent\) below \d+; choose \d+ or above/,
    );
  });

  it('where the validator key would sign twice', async () => {
    const own = homes.copyOf(home);
    edit(own, 'development', 'false');
    const state = join(own, 'data/priv_validator_state.json');
    const before = readFileSync(state, 'utf8');
    expect(await refusal(own)).toMatch(
      /has signed up to height \d+, .* a second time; .* add --reset-sign-state$/,
    );
    expect(readFileSync(state, 'utf8')).toBe(before);
    const done = await chaindHere(['rollback', '--home', own, '--yes', '--reset-sign-state']);
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('a second time') });
  });

  it('where an EVM SS that is not in use would keep what is taken back', async () => {
    const own = homes.copyOf(home);
    mkdirSync(join(own, 'data/evm_ss'));
    writeFileSync(join(own, 'data/evm_ss/CURRENT'), '');
    expect(await refusal(own)).toMatch(/the EVM SS in ".*" is not in use .* remove the directory first/);
  });

  it('without a terminal to ask on, after it has said what is lost', async () => {
    const outcome = await chaindHere(['rollback', '--home', home]);
    expect(outcome).toMatchObject({ code: 2, err: expect.stringMatching(/^Lost: block \d+ with /m) });
    expect(outcome.err).toContain('add --yes');
  });
});
