import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';
import { expect, it } from 'vitest';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { Tree } from './memiavl/tree.ts';
import { MultiTree } from './multiTree.ts';
import { blockAt, hexOf, StateCommitFixture } from './stateCommit.fixture.ts';

const ROUNDS = Number(process.env.CRASH_KILLS ?? 3);
const LIMIT = { timeout: 120_000 + ROUNDS * 240_000 };
const REWRITE_ROUNDS = Number(process.env.CRASH_KILLS ?? 1);

it('gives the app hash of a fresh replay after a kill at any moment', LIMIT, async () => {
  const fixture = new StateCommitFixture();
  fixture.begin();
  const fresh = freshState();
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

it('passes over a rewrite that was killed half-way', LIMIT, async () => {
  const fixture = new StateCommitFixture();
  fixture.begin();
  const fresh = freshState();
  for (let round = 0; round < REWRITE_ROUNDS; round++) {
    // A turn more each round, so that the draft is met at other stages.
    await killed(fixture.directory, { draftSeen: 1 + (round % 8) });
    expect(drafts(fixture.commitDirectory)).not.toEqual([]);
    const commit = await fixture.open();
    expect(drafts(fixture.commitDirectory)).toEqual([]);
    while (fresh.version < commit.version) fresh.apply(blockAt(fresh.version + 1));
    expect(hexOf(commit.appHash)).toBe(hexOf(fresh.appHash()));
    await fixture.close();
  }
  await fixture.end();
});

function freshState(): MultiTree {
  const trees = new Map(['bank', 'evm'].map((name) => [name, new Tree(undefined, 1)]));
  return new MultiTree(trees, { version: 0, initialVersion: 1 }, new NodeHasher());
}

/** What a rewrite leaves while it is under way. */
function drafts(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('-tmp')) : [];
}

type Moment =
  /** So many blocks after the first, or after the first snapshot. */
  | { readonly blocks: number; readonly afterSnapshot: boolean }
  /** With a draft on disk, for the so manyth time. */
  | { readonly draftSeen: number };

/** The last version that the process reported before it was killed. */
async function killed(directory: string, moment: Moment): Promise<number> {
  const program = join(import.meta.dirname, 'blocksForever.fixture.ts');
  const child = spawn(process.execPath, [GENERAL_WRAPPERS, program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let last = 0;
  let firstSnapshot: number | undefined;
  let left = 'blocks' in moment ? moment.blocks : moment.draftSeen;
  for await (const line of createInterface({ input: child.stdout })) {
    const [version, snapshot] = line.split(' ').map(Number) as [number, number];
    last = version;
    firstSnapshot ??= snapshot;
    const counts =
      'blocks' in moment
        ? !moment.afterSnapshot || snapshot > firstSnapshot
        : drafts(join(directory, 'sc')).some((name) => name.startsWith('snapshot-'));
    if (counts) left--;
    if (left <= 0 && counts) child.kill('SIGKILL');
  }
  await closed;
  return last;
}
