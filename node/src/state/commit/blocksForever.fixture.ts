import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { openChangelog } from '../changelog/index.ts';
import { openStateCommit } from './openStateCommit.ts';
import { blockAt } from './stateCommit.fixture.ts';

/** Run by the crash test: makes blocks and snapshots until it is killed, printing durable and snapshot versions. */
const directory = process.argv[2]!;
const logger = silentLogger;
const changelog = await openChangelog({ directory: join(directory, 'log'), segmentBytes: 4000 }, { logger });
const options = { stores: ['bank', 'evm'], snapshotInterval: 10, snapshotKeepRecent: 1 };
const commit = await openStateCommit({ directory: join(directory, 'sc'), ...options }, { changelog, logger });
for (let version = commit.version + 1; ; version++) {
  const changes = blockAt(version);
  commit.apply(changes);
  await changelog.append({ changes, record: new Uint8Array(0) });
  commit.maybeSnapshot();
  if (version % 7 === 0) await changelog.truncateBefore(commit.earliestSnapshotVersion);
  process.stdout.write(`${version} ${commit.snapshotVersion}\n`);
}
