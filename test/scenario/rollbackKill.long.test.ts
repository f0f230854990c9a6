import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterAll, expect, it } from 'vitest';
import { verifyState } from '../../node/src/app/index.ts';
import { KILL_LAYOUTS } from '../../node/src/killLayouts.fixture.ts';
import { chaindHere } from '../support/chaindHere.ts';
import { createHomes, makeChain } from '../support/madeChain.ts';

const KILLED_ROLLBACK = 'test/support/killedRollback.ts';
const TARGET = 2;
const homes = createHomes();
afterAll(() => homes.remove());

/** At any point, and over many blocks: rollback.long.test.ts. */
it.each(KILL_LAYOUTS)(
  'a rollback that kill -9 cuts short is finished by the next one (split %s)',
  async (split) => {
    const { home } = await makeChain(homes.fresh(), split);
    const killAt = '2';
    const args = [GENERAL_WRAPPERS, KILLED_ROLLBACK, home, String(TARGET), killAt];
    expect(spawnSync(process.execPath, args)).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(join(home, 'data/rollback.json'))).toBe(true);
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
    expect(JSON.parse(done.out)).toMatchObject({ outcome: 'finished an interrupted one', height: TARGET });
    const verified = await verifyState({ home, flags: {}, environment: {} }, () => undefined);
    expect(verified).toMatchObject({ height: TARGET, equal: true });
  },
);
