import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { blockAt, StateCommitFixture } from './stateCommit.fixture.ts';

const fixture = new StateCommitFixture({ snapshotMinSeconds: 1_000_000, snapshotNodes: 300 });
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());

it('a snapshot begins by the nodes in memory, whatever the interval and the time', async () => {
  const commit = await fixture.open();
  let version = 0;
  while (!commit.isSnapshotting) await fixture.block(blockAt(++version));
  const begun = version;
  expect(begun).toBeLessThan(60);
  while (commit.isSnapshotting) await new Promise((resolve) => setImmediate(resolve));
  expect(commit.snapshotVersion).toBe(begun);
  // It stands on that snapshot: the second one takes as many nodes again.
  expect(commit.isSnapshotDue).toBe(false);
  while (!commit.isSnapshotting) await fixture.block(blockAt(++version));
  expect(version).toBeGreaterThan(begun + 2);
});

it('one is due only where the log ends with the state, and says so', async () => {
  const commit = await fixture.open();
  while (!commit.isSnapshotDue) commit.apply(blockAt(commit.version + 1));
  commit.maybeSnapshot();
  expect([commit.isSnapshotDue, commit.isSnapshotting]).toEqual([true, false]);
});

it('behind one that failed the next waits for as many nodes again', async () => {
  const commit = await fixture.open();
  const directory = new SnapshotDirectory(fixture.commitDirectory);
  // What was written cannot take its name.
  for (let version = 1; version <= 80; version++) writeFileSync(directory.snapshotPath(version), '');
  const begun: number[] = [];
  for (let version = 1; version <= 80; version++) {
    await fixture.block(blockAt(version));
    if (!commit.isSnapshotting) continue;
    begun.push(version);
    while (commit.isSnapshotting) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(commit.snapshotVersion).toBe(0);
  expect(begun.length).toBeGreaterThan(0);
  expect(begun.length).toBeLessThan(8);
});
