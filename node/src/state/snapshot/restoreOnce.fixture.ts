import { silentLogger } from '@chain/platform';
import { openArchive } from './archive/readArchive.ts';
import { Restore } from './restore/restore.ts';
import { STORES, targetOf } from './snapshotFixture.ts';

/** A child process that restores an archive into a home, `home archive split`, and says what it has come to. */
const [home, path, split] = process.argv.slice(2) as [string, string, string];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const archive = await openArchive(path);
const restore = await Restore.offer(
  archive.description,
  {
    target: targetOf(home, { split: split === 'true' }),
    stores: STORES,
    appHash: archive.restorePoint.appHash,
    checkpointBytes: 1_000_000,
  },
  { beginHistory: async () => say('history'), logger: silentLogger },
);
say(`offered, ${restore.resumedRows} rows are there`);
for await (const chunk of archive.chunks()) {
  await restore.applyChunk(restore.nextChunk, chunk);
  say(`chunk ${restore.nextChunk}`);
}
await restore.finish();
say('done');
await archive.close();
