import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { openChangelog } from '../state/changelog/index.ts';
import { openHistory } from './openHistory.ts';
import { encodeBlockRecord } from './record/encodeRecord.ts';
import { logsAt, recordAt } from './recordArbitrary.fixture.ts';

/** Run by the crash test: commits blocks until it is killed, and prints each height once it is acknowledged. */
const home = process.argv[2]!;
const initialHeight = Number(process.argv[3] ?? 1);
const changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger: silentLogger });
const history = await openHistory(
  { directory: join(home, 'history'), initialHeight },
  { changelog, logger: silentLogger },
);
for (let height = Math.max(initialHeight, changelog.lastVersion + 1); ; height++) {
  const record = recordAt(height, logsAt(height));
  const encoded = encodeBlockRecord(record);
  await changelog.append({ changes: { version: height, stores: [] }, record: encoded });
  await history.append(record, encoded);
  process.stdout.write(`${height}\n`);
}
