import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENDER_ADDRESSES, signSends } from '../bench/ledgerSends.ts';
import { accountNumberOf } from '../bench/ledgerThroughput.ts';
import { type TestBlock, writeBlocks } from '../support/determinism/blockFile.ts';
import { hostileBlock, knownAttacks, openingBlock } from '../support/determinism/hostileBlocks.ts';
import { linesOf, SETTINGS } from '../support/determinism/settings.ts';
import { openStateMachine, type StateMachine } from '../support/determinism/stateMachine.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { deployLoad } from '../support/load.ts';
import { createRandom } from '../support/random.ts';
import { leftOutIf } from '../support/required.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const TASKSET = '/usr/bin/taskset';
const leftOut = leftOutIf(
  'the same blocks on one processor',
  existsSync(TASKSET) ? undefined : `no ${TASKSET}; install util-linux`,
);
const SENDS = 40;
const BLOCKS = 25;
const HOSTILE_BLOCKS = Number(process.env.HOSTILE_BLOCKS ?? 35);
/** Each process takes two seconds to start: the long form has all of them. */
const PROCESSES = process.env.HOSTILE_BLOCKS
  ? Object.keys(SETTINGS)
  : ['small stack', 'interpreter only', 'reference engine'];
const SEED = Number(process.env.DETERMINISM_SEED ?? 21);

interface Replayed {
  readonly processors: number;
  readonly height: number;
  readonly appHash: string;
}

describe('the same blocks', leftOut, () => {
  let root: string;
  let node: DevNode;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'determinism-'));
    node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 50 });
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });

  /** Every block again, in a process of its own; fails where a hash, a result, a log or a row of state differs. */
  async function replayed(
    name: string,
    layout: 'split' | 'whole',
    { front = [], engine = 'wasm' }: { front?: readonly string[]; engine?: string } = {},
  ): Promise<Replayed> {
    const [program = '', ...before] = [...front, process.execPath, GENERAL_WRAPPERS];
    const args = [
      'test/support/replayElsewhere.ts',
      join(root, 'home'),
      join(root, name),
      'whole',
      layout,
      engine,
    ];
    const { stdout } = await promisify(execFile)(program, [...before, ...args]);
    return JSON.parse(stdout) as Replayed;
  }

  it('lead to the same state on one processor and on all, split and unsplit, by the reference EVM as well', async () => {
    const accountNumbers = await Promise.all(
      SENDER_ADDRESSES.map((address) => accountNumberOf(node, address)),
    );
    for (const tx of signSends({ from: 0, count: SENDS, accountNumbers })) {
      const params = { tx: Buffer.from(tx).toString('base64') };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params });
      const answer = await fetch(node.consensusUrl, { method: 'POST', body });
      expect(await answer.json()).toMatchObject({ result: { code: 0 } });
    }
    const load = await deployLoad(node.url, createRandom(7));
    const loaded = load.run(node.url);
    const height = async () => Number(await rpcCall<Hex>(node.url, 'eth_blockNumber'));
    const from = await height();
    await until('blocks are full', async () => (await height()) > from + BLOCKS, 120_000);
    await node.kill9();
    await loaded;

    const one = await replayed('one', 'split', { front: [TASKSET, '-c', '0'] });
    const all = await replayed('all', 'whole');
    const reference = await replayed('reference', 'whole', { engine: 'reference' });
    expect(one.processors).toBe(1);
    expect(one.height).toBeGreaterThan(from + BLOCKS);
    expect(all).toEqual({ ...one, processors: all.processors });
    expect(reference).toEqual(all);
    expect(load.sent).toBeGreaterThan(0);
  });
});

describe('hostile and ordinary blocks', () => {
  let root: string;
  let machine: StateMachine;
  let file: string;
  const lines: string[] = [];
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'hostile-blocks-'));
    file = join(root, 'blocks');
    machine = await openStateMachine('wasm');
    const blocks: TestBlock[] = [];
    const run = async (block: TestBlock): Promise<void> => {
      blocks.push(block);
      lines.push((await machine.run(block)).line);
    };
    await run({ txs: [], inputs: [] });
    await run(openingBlock(machine.state));
    await run(knownAttacks(machine.state));
    const random = createRandom(SEED);
    while (blocks.length < HOSTILE_BLOCKS) await run(hostileBlock(random, machine.state));
    writeBlocks(file, blocks);
  });
  afterAll(async () => {
    await machine?.close();
    rmSync(root, { recursive: true, force: true });
  });

  it.each(PROCESSES)(`leave the same state, results and texts in each process: %s`, async (name) => {
    const found = await linesOf(name, file);
    expect(found.find((line, i) => line !== lines[i])).toBeUndefined();
    expect(found).toHaveLength(lines.length);
  });
});
