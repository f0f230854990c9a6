import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyState } from '../../node/src/app/index.ts';
import { KILL_LAYOUTS } from '../../node/src/killLayouts.fixture.ts';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { createRandom } from '../support/random.ts';
import { rpcCall } from '../support/rpcCall.ts';

const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
/** Per layout; `npm run test:soak` asks for more. */
const KILLS = Number(process.env.REVERT_KILLS ?? 1);
/** That each revert takes back. */
const BLOCKS = 40;
const [alice, bob] = [developmentAccount(0).address, developmentAccount(1).address];

describe.each(KILL_LAYOUTS)('evm_revert and kill -9 (split %s)', (split) => {
  const random = createRandom(SEED ^ (split ? 0x5a5a : 0));
  let root: string;
  let home: string;
  let node: DevNode;
  const start = () => startDevNode({ home, split, blockTimeMs: 0 });
  const call = <T = unknown>(method: string, ...params: unknown[]) => rpcCall<T>(node.url, method, params);

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'revert-kills-'));
    home = join(root, 'home');
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });

  /** What a client sees of the newest block. */
  const look = () =>
    Promise.all([
      call('eth_getBlockByNumber', 'latest', true),
      call('eth_getBalance', bob, 'latest'),
      call('eth_getTransactionCount', alice, 'latest'),
    ]);

  // With its gas: an estimate would start a thread.
  const send = (value: Hex) => call('eth_sendTransaction', { from: alice, to: bob, value, gas: '0x5208' });

  async function grow(): Promise<void> {
    for (let i = 0; i < BLOCKS; i++) await send('0x1');
  }

  /** Takes the blocks back and kills the node so many milliseconds after it was asked to; gives the time it took else. */
  async function revert(id: unknown, killAfterMs: number): Promise<number> {
    const asked = performance.now();
    const answer = call('evm_revert', id).catch(() => 'killed');
    if (killAfterMs < Number.POSITIVE_INFINITY) {
      await new Promise((moment) => setTimeout(moment, killAfterMs));
      await node.kill9();
    }
    await answer;
    return performance.now() - asked;
  }

  it(
    `leave the chain as it was before or after, never between (${KILLS} kills, seed ${SEED})`,
    async () => {
      node = await start();
      await grow();
      const whole = await call('evm_snapshot');
      await grow();
      const tookMs = await revert(whole, Number.POSITIVE_INFINITY);
      for (let kill = 0; kill < KILLS; kill++) {
        const before = await look();
        const id = await call('evm_snapshot');
        await grow();
        const after = await look();
        await revert(id, random.below(Math.ceil(tookMs)));
        node = await start();
        const found = await look();
        expect([before, after]).toContainEqual(found);
        const height = await call<Hex>('eth_blockNumber');
        const above = `0x${(Number(height) + 1).toString(16)}`;
        expect(await call('eth_getBlockByNumber', above, false)).toBeNull();
        expect(await call('eth_getLogs', { fromBlock: '0x1', toBlock: height })).toEqual([]);
        // The key signs the heights again, and clients go on.
        await send('0x2');
        expect(await call('eth_blockNumber')).toBe(above);
      }
      expect(await node.stop()).toBe(0);
      expect(await verifyState({ home, flags: {}, environment: {} }, () => undefined)).toMatchObject({
        equal: true,
      });
    },
    120_000 + KILLS * 60_000,
  );
});
