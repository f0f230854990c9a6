import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/index.ts';
import { createMigrationHomes, journalOf, lostFrom, type MigrationHomes } from './migrationHomes.fixture.ts';

const KILLS = Number(process.env.MIGRATE_KILLS ?? 1);
const ONCE = fileURLToPath(new URL('migrateOnce.fixture.ts', import.meta.url));

let homes: MigrationHomes;
beforeAll(async () => {
  homes = await createMigrationHomes();
});
afterAll(() => homes.close());

/** Runs a migration as far as it goes without a node, or until it is killed; milliseconds from its first step. */
async function run(home: string, killAfterMs?: number): Promise<{ code: number | null; workedMs: number }> {
  const urls = homes.rpcs.map(({ url }) => url);
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, ONCE, home, ...urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  await Promise.race([once(child.stdout, 'data'), exited]);
  const started = performance.now();
  if (killAfterMs !== undefined) {
    await pause(killAfterMs);
    child.kill('SIGKILL');
  }
  const [code] = await exited;
  return { code, workedMs: performance.now() - started };
}

describe('kill -9', () => {
  it('at any moment leaves the keys, and a migration that goes on', { timeout: 7_200_000 }, async () => {
    const whole = await run(homes.fresh());
    expect(whole.code).toBe(0);
    let home = homes.fresh();
    for (let kill = 0; kill < KILLS; kill++) {
      await run(home, Math.random() * whole.workedMs);
      expect(await lostFrom(home, homes.pattern)).toEqual([]);
      if (journalOf(home)?.steps.seal?.state === 'done') home = homes.fresh();
    }
    expect((await run(home)).code).toBe(0);
    expect(await lostFrom(home, homes.pattern)).toEqual([]);
    const { app } = await loadConfig({ home });
    expect(app['state-store']['evm-ss-split']).toBe(true);
    expect(readdirSync(join(home, 'data'))).toEqual(['priv_validator_state.json']);
  });
});
