import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KILL_LAYOUTS } from '../../node/src/killLayouts.fixture.ts';
import { type DevNode, killDuringStart, startDevNode } from '../support/devNode.ts';
import { type Announced, deployLoad, type Load } from '../support/load.ts';
import { openHome } from '../support/openHome.ts';
import { createRandom } from '../support/random.ts';
import { openReplay, type Replay } from '../support/replay.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
/** Per layout; 'npm run test:soak' asks for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 1);
const CHECK_EVERY = 5;

describe.each(KILL_LAYOUTS)('kill -9 under load (split %s)', (split) => {
  const random = createRandom(SEED + Number(split));
  let root: string;
  let home: string;
  let replay: Replay | undefined;
  let node: DevNode | undefined;

  const start = async (): Promise<DevNode> => {
    node = await startDevNode({ home, split, blockTimeMs: random.pick([0, 10, 50]) });
    return node;
  };
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'crash-'));
    home = join(root, 'home');
  });
  afterAll(async () => {
    await node?.kill9();
    await replay?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function expectNothingLost({ announced, mined }: Load, url: string): Promise<void> {
    if (announced) {
      const latest = Number(await rpcCall<Hex>(url, 'eth_blockNumber'));
      expect(latest).toBeGreaterThanOrEqual(Number(announced.number));
      expect(await rpcCall(url, 'eth_getBlockByNumber', [announced.number, false])).toEqual(announced);
    }
    if (mined)
      expect(await rpcCall(url, 'eth_getTransactionReceipt', [mined.transactionHash])).toEqual(mined);
  }

  async function expectSameAsReplay(announced: Announced | undefined): Promise<number> {
    replay ??= await openReplay(join(root, 'replay'), home, split);
    const survivor = await openHome(home, { split });
    try {
      const height = await replay.check(survivor);
      expect(height).toBeGreaterThanOrEqual(Number(announced?.number ?? 0));
      return height;
    } finally {
      await survivor.close();
    }
  }

  it(`loses nothing in ${KILLS} kills (seed ${SEED})`, { timeout: 60_000 + KILLS * 240_000 }, async () => {
    const { url } = await start();
    const load = await deployLoad(url, random);
    let height = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const running = kill === 1 ? node! : await start();
      await expectNothingLost(load, running.url);
      const loaded = load.run(running.url);
      // How much comes about before the kills is the machine's affair, but something must.
      if (kill === 1) await until('something is sent', async () => load.sent > 0);
      await new Promise((moment) => setTimeout(moment, random.below(500)));
      await running.kill9();
      await loaded;
      // A start takes some 600 ms: these kills fall into the recovery.
      if (kill % 3 === 0 || kill === KILLS) await killDuringStart({ home, split }, 100 + random.below(600));
      if (kill % CHECK_EVERY === 0 || kill === KILLS) height = await expectSameAsReplay(load.announced);
    }
    expect(height).toBeGreaterThan(0);
  });
});
