import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KILL_LAYOUTS } from '../../killLayouts.fixture.ts';
import { writeArchive } from './archive/writeArchive.ts';
import { createSnapshot } from './create/createSnapshot.ts';
import { isRestoring, refuseInterruptedRestore } from './restore/restoreJournal.ts';
import type { RestoreTarget } from './restore/restoreTarget.ts';
import { SnapshotShelf } from './shelf/snapshotShelf.ts';
import {
  EVM_ROWS,
  hexOf as hex,
  noise,
  restorePointOf,
  SnapshotHomes,
  targetOf,
  withRestored,
} from './snapshot.fixture.ts';

const homes = new SnapshotHomes();
afterAll(() => homes.remove());

/** Kills per layout; 'npm run test:soak' asks for more. */
const KILLS = Number(process.env.CRASH_KILLS ?? 1);
const LIMIT = { timeout: 120_000 + KILLS * 120_000 };
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

/** Runs a fixture and kills it a moment after it has said `lines` lines; gives all that it said. */
function killAfter(
  fixture: string,
  args: readonly string[],
  at: { lines: number; turns: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = join(import.meta.dirname, fixture);
    const child = spawn(process.execPath, [GENERAL_WRAPPERS, path, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    const kill = (turns: number): void => {
      if (turns === 0) child.kill('SIGKILL');
      else setImmediate(() => kill(turns - 1));
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').length > at.lines) kill(at.turns);
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a process killed while it restores', () => {
  const path = join(homes.root, 'archive.tar');
  let appHash = '';
  const rows = noise(250);
  beforeAll(async () => {
    const shelf = new SnapshotShelf(join(homes.root, 'shelf'));
    await homes.withState({ bank: rows, evm: EVM_ROWS }, async (_commit, frozen) => {
      await createSnapshot({ frozen, restorePoint: restorePointOf(frozen), keepRecent: 0 }, { shelf });
      appHash = hex(frozen.appHash);
    });
    await writeArchive({ height: 2, path }, shelf);
  });

  async function expectWhole(target: RestoreTarget): Promise<void> {
    refuseInterruptedRestore(target.home);
    await withRestored(target, async ({ commit, store }) => {
      expect(hex(commit.appHash)).toBe(appHash);
      expect([store.latestVersion, store.earliestVersion]).toEqual([2, 2]);
      for (const { key, value } of rows) expect(Buffer.compare(store.get('bank', key, 2)!, value)).toBe(0);
      for (const { key, value } of EVM_ROWS) expect(Buffer.compare(store.get('evm', key, 2)!, value)).toBe(0);
    });
  }

  // Behind a line it ends itself: another process could come too late.
  const run = ({ home, split }: RestoreTarget, at: { lines: number; turns: number }) =>
    killAfter(
      'restoreOnce.fixture.ts',
      [home, path, String(split), String(at.turns === 0 ? at.lines : 0)],
      at,
    );
  const toItsEnd = { lines: 99, turns: 0 };
  const rowsThereAfter = (said: string): number => Number(/offered, (\d+) rows/.exec(said)?.[1]);

  it.each(KILL_LAYOUTS)('goes on where it was: split %s', LIMIT, async (split) => {
    const target = targetOf(homes.fresh(), { split });
    const first = await run(target, { lines: 3, turns: 0 });
    expect(first).toContain('chunk 2');
    expect(isRestoring(target.home)).toBe(true);
    const said = await run(target, toItsEnd);
    expect(rowsThereAfter(said)).toBeGreaterThan(0);
    expect(said).toContain('done');
    await expectWhole(target);
  });

  it('starts over when what lies there is not what it had noted', LIMIT, async () => {
    const target = targetOf(homes.fresh());
    await run(target, { lines: 3, turns: 0 });
    const draft = join(target.commit, readdirSync(target.commit).find((name) => name.endsWith('-tmp'))!);
    const kvs = openSync(join(draft, 'bank/kvs'), 'r+');
    writeSync(kvs, 'x', 500_000);
    closeSync(kvs);
    const said = await run(target, toItsEnd);
    expect(rowsThereAfter(said)).toBe(0);
    await expectWhole(target);
  });

  it('starts over with another layout, and leaves nothing of the one before', LIMIT, async () => {
    const before = targetOf(homes.fresh(), { split: true });
    await run(before, { lines: 3, turns: 0 });
    const target = { ...before, split: false };
    expect(rowsThereAfter(await run(target, toItsEnd))).toBe(0);
    expect(existsSync(target.evm)).toBe(false);
    await expectWhole(target);
  });

  it.each(KILL_LAYOUTS)(
    `leaves nothing that counts, or all of it: split %s (seed ${SEED})`,
    LIMIT,
    async (split) => {
      const random = randomOf(SEED + Number(split));
      let target = targetOf(homes.fresh(), { split });
      for (let kill = 0; kill < KILLS; kill++) {
        // It says offered, chunk 1 to 3, history and done.
        const said = await run(target, { lines: 1 + random(5), turns: random(3_000) });
        expect(said).toContain('offered');
        if (isRestoring(target.home)) {
          expect(() => refuseInterruptedRestore(target.home)).toThrow(
            expect.objectContaining({ code: 'SNAPSHOT_RESTORE_INTERRUPTED' }),
          );
          continue;
        }
        await expectWhole(target);
        rmSync(target.home, { recursive: true });
        target = targetOf(homes.fresh(), { split });
      }
      expect(await run(target, toItsEnd)).toContain('done');
      await expectWhole(target);
    },
  );
});

describe('a process killed while it makes snapshots', () => {
  it(`leaves whole ones only, and the next one goes on (seed ${SEED})`, LIMIT, async () => {
    const shelf = new SnapshotShelf(join(homes.fresh(), 'snapshots'));
    const random = randomOf(SEED);
    let newest = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const said = await killAfter('createForever.fixture.ts', [shelf.directory, homes.fresh()], {
        lines: 1 + random(7),
        turns: random(3_000),
      });
      const made = Math.max(newest, ...[...said.matchAll(/made (\d+)/g)].map(([, height]) => Number(height)));
      expect(shelf.heights().at(-1) ?? 0).toBeGreaterThanOrEqual(made);
      for (const { description } of shelf.list()) {
        const whole = createHash('sha256');
        for (let index = 0; index < description.chunks; index++) {
          whole.update(await shelf.loadChunk(description.height, index));
        }
        expect(hex(whole.digest())).toBe(hex(description.hash));
      }
      newest = shelf.heights().at(-1) ?? 0;
    }
    writeFileSync(join(shelf.directory, 'LOCK'), 'left by a process that is gone');
    shelf.lock().release();
    expect(readdirSync(shelf.directory).filter((name) => /^\d+-tmp$/.test(name))).toEqual([]);
  });
});
