import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
  const snapshots = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const blocks = 1 + ((round * 7919) % 60);
    // Every third round ends some blocks after a snapshot was finished, the others wherever they are.
    const durable = await killed(fixture.directory, { blocks, afterSnapshot: round % 3 === 0 });
    const commit = await fixture.open();
    expect(commit.version).toBeGreaterThanOrEqual(durable);
    while (fresh.version < commit.version) fresh.apply(blockAt(fresh.version + 1));
    expect(hexOf(commit.appHash)).toBe(hexOf(fresh.appHash()));
    expect(readdirSync(fixture.commitDirectory).filter((name) => name.endsWith('-tmp'))).toEqual([]);
    snapshots.add(commit.snapshotVersion);
    await fixture.close();
  }
  expect(snapshots.size).toBeGreaterThanOrEqual(ROUNDS / 3);
  await fixture.end();
});

/** The last version that the process reported before it was killed: `blocks` after its first, or its first snapshot. */
async function killed(
  directory: string,
  { blocks, afterSnapshot }: { readonly blocks: number; readonly afterSnapshot: boolean },
): Promise<number> {
  const program = join(import.meta.dirname, 'blocksForever.fixture.ts');
  const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let last = 0;
  let firstSnapshot: number | undefined;
  let left = blocks;
  for await (const line of createInterface({ input: child.stdout })) {
    const [version, snapshot] = line.split(' ').map(Number) as [number, number];
    last = version;
    firstSnapshot ??= snapshot;
    if (!afterSnapshot || snapshot > firstSnapshot) left--;
    if (left === 0) child.kill('SIGKILL');
  }
  await closed;
  return last;
}
