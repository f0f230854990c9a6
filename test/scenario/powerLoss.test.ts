import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { CONFIG_FILES, DATA_DIRS } from '@chain/platform/contract';
import { describe, expect, it } from 'vitest';
import { KILL_LAYOUTS } from '../../node/src/killLayouts.fixture.ts';
import { openFlatKv } from '../../node/src/state/flatKv/index.ts';
import { STORE_NAMES } from '../../node/src/state/schema/index.ts';
import { startDevNode } from '../support/devNode.ts';
import { assertFlatKv } from '../support/flatKvCheck.ts';
import { type OpenedHome, openHome } from '../support/openHome.ts';
import { LossyDisk } from '../support/powerLoss/lossyDisk.ts';
import { recorderMissing, recordRun } from '../support/powerLoss/recordedRun.ts';
import { createRandom } from '../support/random.ts';
import { openReplay, type Replay } from '../support/replay.ts';
import { leftOutIf } from '../support/required.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const SEED = Number(process.env.POWER_LOSS_SEED ?? Date.now() % 1_000_000);
/** Per layout; 'npm run test:soak' asks for more. */
const INSTANTS = Number(process.env.POWER_LOSS_INSTANTS ?? 2);
/** Of each start, under load. */
const BLOCKS = 15;
/** Of the homes that come back, each so manyth is also run by the real program. */
const RUN_EVERY = 6;

describe.each(KILL_LAYOUTS)(
  'power loss under load (split %s)',
  leftOutIf('power loss', recorderMissing()),
  (split) => {
    it(`loses nothing announced at ${INSTANTS} moments (seed ${SEED})`, {
      timeout: 60_000 + INSTANTS * 10_000,
    }, async () => {
      const random = createRandom(SEED + Number(split));
      const root = mkdtempSync(join(tmpdir(), 'power-loss-'));
      const recording = await recordRun({
        root,
        split,
        starts: INSTANTS > 50 ? 4 : 2,
        blocks: BLOCKS,
        random,
      });
      const replay = await openReplay(join(root, 'replay'), recording.home, split);
      try {
        // A copy: the recording must stay as it is.
        cpSync(recording.home, join(root, 'whole'), { recursive: true });
        const whole = await openHome(join(root, 'whole'), { split });
        const height = await replay.check(whole);
        await whole.close();
        const disk = new LossyDisk(recording);
        expect(height).toBeGreaterThanOrEqual(2 * BLOCKS);
        const moments = Array.from({ length: INSTANTS }, () => random.below(disk.length)).sort(
          (a, b) => a - b,
        );
        for (const [index, moment] of moments.entries()) {
          disk.advance(moment);
          const home = join(root, `survivor-${index}`);
          disk.restore(home, random.pick(['all', 'some']), random);
          await expectSurvived(home, { replay, split, announced: disk.announced, moment });
          if (index % RUN_EVERY === 0 && disk.announced > 0) await expectToGoOn(home, split);
          rmSync(home, { recursive: true });
        }
      } finally {
        await replay.close();
      }
      rmSync(root, { recursive: true, force: true });
    });
  },
);

interface Survival {
  readonly replay: Replay;
  readonly split: boolean;
  readonly announced: number;
  readonly moment: number;
}

async function expectSurvived(home: string, { replay, split, announced, moment }: Survival): Promise<void> {
  if (announced === 0 && !existsSync(join(home, CONFIG_FILES.genesis))) return;
  const survivor = await openHome(home, { split }).catch((cause: unknown) => {
    throw new RangeError(`the home of moment ${moment} does not open (kept in ${home})`, { cause });
  });
  try {
    expect(await replay.compare(survivor), `moment ${moment}`).toBeGreaterThanOrEqual(announced);
    await expectFlatKvSurvived(home, survivor);
  } finally {
    await survivor.close();
  }
}

/** It follows what survived, by the log or from SC, and holds each row of it. */
async function expectFlatKvSurvived(home: string, { parts }: OpenedHome): Promise<void> {
  const { changelog, stateCommit: state } = parts;
  const directory = join(home, DATA_DIRS.flatKv);
  const flatKv = await openFlatKv({ directory }, { changelog, state, logger: silentLogger });
  await flatKv.flushed();
  expect([flatKv.version, flatKv.failure]).toEqual([state.version, undefined]);
  await flatKv.close();
  await assertFlatKv(directory, { stores: STORE_NAMES, state });
}

/** The real program makes a further block there: the validator's state and commit are whole, too. */
async function expectToGoOn(home: string, split: boolean): Promise<void> {
  const node = await startDevNode({ home, split, blockTimeMs: 10 });
  const height = async (): Promise<number> => Number(await rpcCall(node.url, 'eth_blockNumber'));
  const first = await height();
  await until('a further block', async () => (await height()) > first + 1);
  expect(await node.stop()).toBe(0);
}
