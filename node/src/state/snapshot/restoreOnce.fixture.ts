import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@chain/platform';
import { openArchive } from './archive/readArchive.ts';
import { Restore } from './restore/restore.ts';
import { interruptedRestore } from './restore/restoreJournal.ts';
import { STORES, targetOf } from './snapshot.fixture.ts';

/**
 * A child process that restores an archive into a home, `home archive split lines`, and says what it has come to. It
 * kills itself behind so many lines, of which the last tells of a chunk, and not before the journal has a position: the
 * threads of the import note it in their own time.
 */
const [home, path, split, lines] = process.argv.slice(2) as [string, string, string, string];
let said = 0;
const say = async (line: string): Promise<void> => {
  writeSync(process.stdout.fd, `${line}\n`);
  if (++said !== Number(lines)) return;
  while (interruptedRestore(home)?.position === undefined) await setImmediate();
  process.kill(process.pid, 'SIGKILL');
};
const archive = await openArchive(path);
const restore = await Restore.offer(
  archive.description,
  {
    target: targetOf(home, { split: split === 'true' }),
    stores: STORES,
    appHash: archive.restorePoint.appHash,
    checkpointBytes: 1_000_000,
  },
  { beginHistory: () => say('history'), logger: silentLogger },
);
await say(`offered, ${restore.resumedRows} rows are there`);
for await (const chunk of archive.chunks()) {
  await restore.applyChunk(restore.nextChunk, chunk);
  await say(`chunk ${restore.nextChunk}`);
}
await restore.finish();
await say('done');
await archive.close();
