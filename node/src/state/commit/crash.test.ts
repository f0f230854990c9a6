import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { Tree } from './memiavl/tree.ts';
import { MultiTree } from './multiTree.ts';
import { blockAt, hexOf, StateCommitFixture } from './stateCommitFixture.ts';

const ROUNDS = 15;

it('gives the app hash of a fresh replay after a kill at any moment', async () => {
  const fixture = new StateCommitFixture();
  fixture.begin();
  const trees = new Map(['bank', 'evm'].map((name) => [name, new Tree(undefined, 1)]));
  const fresh = new MultiTree(trees, { version: 0, initialVersion: 1 }, new NodeHasher());
  let snapshots = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = fixture.commit?.snapshotVersion ?? 0;
    const durable = await killedAfter(fixture.directory, 40 + ((round * 7919) % 400));
    const commit = await fixture.open();
    expect(commit.version).toBeGreaterThanOrEqual(durable);
    while (fresh.version < commit.version) fresh.apply(blockAt(fresh.version + 1));
    expect(hexOf(commit.appHash)).toBe(hexOf(fresh.appHash()));
    expect(readdirSync(fixture.commitDirectory).filter((name) => name.endsWith('-tmp'))).toEqual([]);
    if (commit.snapshotVersion > before) snapshots++;
    await fixture.close();
  }
  expect(snapshots).toBeGreaterThan(0);
  await fixture.end();
});

/** The last version that the process reported before it was killed, `delay` ms after its first block. */
async function killedAfter(directory: string, delay: number): Promise<number> {
  const program = join(import.meta.dirname, 'blocksForever.fixture.ts');
  const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  await once(child.stdout, 'data');
  await after(delay);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(printed.split('\n').at(-2));
}
