import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaind, complaints } from '../support/chaind.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { deployLoad, type Load } from '../support/load.ts';
import { openHome } from '../support/openHome.ts';
import { createRandom } from '../support/random.ts';
import { openReplay } from '../support/replay.ts';
import { leftOutIf } from '../support/required.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { openSmallDisks, type SmallDisks, smallDisksMissing } from '../support/smallDisks.ts';
import { until } from '../support/until.ts';

/** The validator's state and commit, and all that has no directory of its own. */
const REST = 'data';
/** A block is not announced before it is here, or on its way here: without room the node ends. */
const NEEDED = [DATA_DIRS.changelog, DATA_DIRS.pebbledb, DATA_DIRS.evmStore, DATA_DIRS.history, REST];
/** The chain goes on without, and says what is wrong. */
const SPARED = [DATA_DIRS.memiavl, DATA_DIRS.flatKv];
/** 'npm run test:soak' fills each of them, 'npm test' one of a kind. */
const FILLED = process.env.FULL_DISK_ALL ? NEEDED : [DATA_DIRS.changelog, DATA_DIRS.evmStore, REST];
const SETTINGS = ['--set', 'state-commit.sc-snapshot-interval=10'];
const TIME_LIMIT_MS = 110_000;

describe('a disk that fills up under load', leftOutIf('full disk', smallDisksMissing()), () => {
  let root: string;
  let disks: SmallDisks;
  let home: string;
  let node: DevNode | undefined;
  let load: Load | undefined;
  let loaded: Promise<void> | undefined;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'full-disk-'));
    home = join(root, 'home');
    expect(await (await start()).stop()).toBe(0);
    const parts = [...NEEDED.filter((path) => path !== REST), ...SPARED];
    disks = await openSmallDisks(home, [REST, ...parts]);
    home = disks.root;
  });
  afterAll(async () => {
    await node?.kill9();
    await disks.close();
    rmSync(root, { recursive: true, force: true });
  });

  const start = async (): Promise<DevNode> => {
    node = await startDevNode({ home, split: true, blockTimeMs: 10, args: SETTINGS });
    return node;
  };
  const heightOf = async ({ url }: DevNode): Promise<number> => Number(await rpcCall(url, 'eth_blockNumber'));
  const blocks = async (running: DevNode, count: number): Promise<unknown> => {
    const before = await heightOf(running);
    return until('further blocks', async () => (await heightOf(running)) >= before + count, TIME_LIMIT_MS);
  };

  const startUnderLoad = async (): Promise<DevNode> => {
    const running = await start();
    load ??= await deployLoad(running.url, createRandom(7));
    loaded = load.run(running.url);
    await blocks(running, 3);
    return running;
  };

  it.each(FILLED)(
    '%s: the node ends with an error that names it, and goes on when there is room',
    async (path) => {
      const running = await startUnderLoad();
      const disk = disks.disk(path);
      let ended: number | null | undefined;
      void running.exited.then((code) => {
        ended = code;
      });
      await until(
        'the node ends',
        async () => {
          disk.fill();
          return ended !== undefined;
        },
        TIME_LIMIT_MS,
      );
      await loaded;
      expect(ended).toBe(1);
      const said = running
        .output()
        .split('\n')
        .filter((line) => line.startsWith('error: '));
      expect(said).toEqual([expect.stringMatching(new RegExp(`${path}.* free space `))]);
      disk.fill();
      const again = await chaind('dev', '--home', home, '--split', '--port', '0', '--admin-port', '0');
      expect(again.code).toBe(1);
      expect(complaints(again).filter((line) => line.startsWith('error: '))).toEqual([
        expect.stringMatching(new RegExp(`${path}.* free space `)),
      ]);
      disk.free();
    },
  );

  it(`${SPARED.join(' and ')}: the chain goes on and names them in the log`, async () => {
    const running = await startUnderLoad();
    for (const path of SPARED) {
      await until(
        'the failure is logged',
        async () => {
          disks.disk(path).fill();
          return new RegExp(`ERROR .*${path}.* free space `).test(running.output());
        },
        TIME_LIMIT_MS,
      );
    }
    await blocks(running, 3);
    expect(await running.stop()).toBe(0);
    await loaded;
    for (const path of SPARED) disks.disk(path).free();
  });

  it('has lost nothing in the end, by a replay', async () => {
    const running = await start();
    await blocks(running, 1);
    const height = await heightOf(running);
    expect(running.output()).not.toContain('ERROR');
    expect(await running.stop()).toBe(0);
    const survivor = await openHome(home, { split: true });
    const replay = await openReplay(join(root, 'replay'), home, true);
    expect(await replay.check(survivor)).toBeGreaterThanOrEqual(height);
    await replay.close();
    await survivor.close();
  });
});
