import { spawn } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  blockTimeToMillis,
  type Commit,
  commitHash,
  compareBlockTimes,
  dataHash,
  decodeCommit,
  EMPTY_HASH,
  headerHash,
  precommitSignBytes,
  resultsHash,
  validatorSetHash,
} from '../../comet/index.ts';
import { bytesToHex, concatBytes, sha256, utf8 } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { type DevNode, openDevNode } from './devChain.fixture.ts';

const MANUAL = Number.POSITIVE_INFINITY;
let home = '';
let node: DevNode | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'consensus-'));
});
afterEach(async () => {
  await node?.close().catch(() => undefined);
  node = undefined;
  rmSync(home, { recursive: true });
});

async function open(blockTimeMs = MANUAL, now?: () => number): Promise<DevNode> {
  await node?.close();
  node = await openDevNode(home, blockTimeMs, now);
  return node;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Buffers and plain bytes are the same to this test. */
function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  expect(bytesToHex(actual)).toBe(bytesToHex(expected));
}

/** What a light client and a full node check of every block. */
function verifyChain(records: readonly BlockRecord[], publicKey: Uint8Array): void {
  let appHash = sha256(new Uint8Array(0));
  records.forEach(({ block }, i) => {
    const { header } = block;
    const before = records[i - 1];
    expectSame(block.id.hash, headerHash(header));
    expectSame(header.dataHash, dataHash(block.txs));
    expectSame(header.validatorsHash, validatorSetHash([{ publicKey, power: 1n }]));
    expectSame(header.appHash, appHash);
    appHash = sha256(concatBytes(appHash, ...block.txs));
    const lastCommit = decodeCommit(block.lastCommit);
    expectSame(header.lastCommitHash, commitHash(lastCommit));
    if (!before) {
      expect(header).toMatchObject({ height: 5, lastBlockId: { partsTotal: 0 } });
      expectSame(header.lastResultsHash, EMPTY_HASH);
      return;
    }
    expect(header.height).toBe(before.block.header.height + 1);
    expect(compareBlockTimes(header.time, before.block.header.time)).toBeGreaterThan(0);
    expectSame(header.lastBlockId.hash, before.block.id.hash);
    expectSame(header.lastBlockId.partsHash, before.block.id.partsHash);
    expectSame(header.lastResultsHash, resultsHash(before.results));
    verifyCommit(lastCommit, before, publicKey);
  });
}

function verifyCommit(commit: Commit, { block }: BlockRecord, publicKey: Uint8Array): void {
  expect(commit.height).toBe(block.header.height);
  expectSame(commit.blockId.hash, block.id.hash);
  expect(commit.signatures).toHaveLength(1);
  const { signature, time } = commit.signatures[0]!;
  const bytes = precommitSignBytes('chain-local-1', { ...commit, time });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  expect(verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true);
}

const check = ({ executor, signer }: DevNode): void => verifyChain(executor.records(), signer.publicKey);

describe('embedded engine', () => {
  it('makes blocks that verify, with transactions and without', async () => {
    const dev = await open();
    await dev.engine.start();
    for (const count of [0, 3, 1, 0, 2]) {
      dev.pool.add(...Array.from({ length: count }, (_, i) => utf8(`transaction ${i}`)));
      const { block } = await dev.engine.mine();
      expect(block.txs).toHaveLength(count);
    }
    expect(dev.executor.height).toBe(9);
    expect(dev.pool.limits).toEqual({ maxBytes: 22_020_096 - 2048, maxGas: -1n });
    check(dev);
  });

  it('goes on after a restart where the chain ended', async () => {
    for (let round = 0; round < 3; round++) {
      const dev = await open();
      await dev.engine.start();
      await dev.engine.mine();
      await dev.engine.mine();
    }
    expect(node!.executor.height).toBe(10);
    check(node!);
  });

  it('makes a block a transaction without being asked, and none without', async () => {
    const dev = await open(0);
    await dev.engine.start();
    expect(dev.executor.height).toBe(5);
    dev.pool.add(utf8('one'));
    await until(() => dev.executor.height === 6);
    expect(dev.executor.lastRecord!.block.txs).toEqual([utf8('one')]);
    // More than fits into a block at once.
    for (let i = 0; i < 7; i++) dev.pool.add(utf8(`more ${i}`));
    await until(() => dev.executor.height === 9);
    expect(dev.executor.records().map(({ block }) => block.txs.length)).toEqual([0, 1, 3, 3, 1]);
    await open(0);
    await node!.engine.start();
    expect(node!.executor.height).toBe(9);
    check(node!);
  });

  it('makes empty blocks in its rhythm and finishes the one in progress when it stops', async () => {
    const dev = await open(20);
    const started = performance.now();
    await dev.engine.start();
    await until(() => dev.executor.height >= 10);
    expect(performance.now() - started).toBeGreaterThan(95);
    await dev.engine.stop();
    const { height } = dev.executor;
    await expect(dev.engine.mine()).rejects.toMatchObject({ code: 'CONSENSUS_NOT_RUNNING' });
    expect(dev.executor.height).toBe(height);
    check(dev);
  });

  it('lets time only rise, whatever the clock says, and takes a time once', async () => {
    let now = 1_700_000_000_000;
    const dev = await open(MANUAL, () => now);
    await dev.engine.start();
    const mine = async (): Promise<number> => blockTimeToMillis((await dev.engine.mine()).block.header.time);
    expect(await mine()).toBe(now);
    expect(await mine()).toBe(now + 1);
    now -= 60_000;
    expect(await mine()).toBe(now + 60_002);
    dev.engine.setNextBlockTime(1_800_000_000_000);
    expect(await mine()).toBe(1_800_000_000_000);
    expect(await mine()).toBe(1_800_000_000_001);
    expect(() => dev.engine.setNextBlockTime(1_800_000_000_001)).toThrowError(/not later than the last/);
    check(dev);
  });
});

describe('what goes wrong', () => {
  it('reports a failed block once and makes no more', async () => {
    const dev = await open(1);
    await dev.engine.start();
    await until(() => dev.executor.height >= 6);
    dev.executor.failure = new TypeError('disk is full');
    await until(() => dev.failures.length > 0);
    await expect(dev.engine.mine()).rejects.toMatchObject({ code: 'CONSENSUS_NOT_RUNNING' });
    expect(dev.failures).toEqual([dev.executor.failure]);
    await dev.engine.stop();
  });

  it('votes for another block of a signed height in the next round only', async () => {
    const rounds: number[] = [];
    for (let crash = 0; crash < 3; crash++) {
      const dev = await open();
      await dev.engine.start();
      await dev.engine.mine();
      await dev.engine.stop();
      rounds.push(decodeCommit(readFileSync(join(home, 'consensus', 'commit'))).round);
      for (let attempt = 0; attempt < crash; attempt++) {
        // Signed and not applied, each time another block: as killed between the two.
        const crashed = await open();
        crashed.executor.failure = new TypeError('killed');
        await crashed.engine.start();
        crashed.pool.add(utf8(`crash ${crash} ${attempt}`));
        await expect(crashed.engine.mine()).rejects.toThrowError('killed');
      }
    }
    const dev = await open();
    await dev.engine.start();
    await dev.engine.mine();
    await dev.engine.stop();
    rounds.push(decodeCommit(readFileSync(join(home, 'consensus', 'commit'))).round);
    expect(rounds).toEqual([0, 0, 1, 2]);
    check(dev);
  });

  it('gets the last signature back when the commit file is behind', async () => {
    let dev = await open();
    await dev.engine.start();
    await dev.engine.mine();
    await dev.engine.stop();
    const commit = readFileSync(join(home, 'consensus', 'commit'));
    rmSync(join(home, 'consensus'), { recursive: true });
    dev = await open();
    await dev.engine.start();
    expect(readFileSync(join(home, 'consensus', 'commit'))).toEqual(commit);
    await dev.engine.mine();
    check(dev);
  });

  it('refuses to start on data older than its key', async () => {
    const dev = await open();
    await dev.engine.start();
    await dev.engine.mine();
    await dev.signer.sign({ height: 1000, round: 0, step: 3 }, utf8('elsewhere'));
    const again = await open();
    rmSync(join(home, 'consensus'), { recursive: true });
    await expect(again.engine.start()).rejects.toMatchObject({
      code: 'CONSENSUS_KEY_AHEAD',
      fields: { height: 5, lastHeight: 1000 },
    });
  });

  it('survives kills at any instant', async () => {
    for (const blocks of [1, 9, 30]) {
      await node?.close();
      node = undefined;
      const acknowledged = await killedAfter(blocks);
      const dev = await open();
      await dev.engine.start();
      await dev.engine.mine();
      expect(dev.executor.height).toBeGreaterThan(acknowledged);
      check(dev);
    }
  });
});

/** Starts a process that makes blocks without end and kills it after `blocks` more of them. */
async function killedAfter(blocks: number): Promise<number> {
  const program = join(import.meta.dirname, 'runForever.fixture.ts');
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.split('\n').length > blocks) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  return Number(text.split('\n').at(-2));
}
