import { createSnapshot } from './create/createSnapshot.ts';
import { SnapshotShelf } from './shelf/snapshotShelf.ts';
import { noise, restorePointOf, withCommit } from './snapshot.fixture.ts';

/** A child process that makes a snapshot of one height after another until it is killed: `shelf home`. */
const [directory, home] = process.argv.slice(2) as [string, string];
const shelf = new SnapshotShelf(directory);
await withCommit(home, async (commit) => {
  commit.apply({ version: 1, stores: [{ store: 'bank', changes: noise(20) }] });
  const newest = shelf.heights().at(-1) ?? 1;
  for (;;) {
    commit.apply({ version: commit.version + 1, stores: [] });
    if (commit.version <= newest) continue;
    const { frozen, release } = commit.freeze();
    process.stdout.write(`begin ${commit.version}\n`);
    await createSnapshot({ frozen, restorePoint: restorePointOf(frozen), keepRecent: 3 }, { shelf });
    release();
    process.stdout.write(`made ${commit.version}\n`);
  }
});
