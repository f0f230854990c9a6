import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { openChangelog } from '../changelog/index.ts';
import { blockAt, ModelState } from './flatKv.fixture.ts';
import { openFlatKv } from './openFlatKv.ts';

/** Run by the crash test: makes blocks until it is killed, printing what the changelog and FlatKV have. */
const root = process.argv[2]!;
const logger = silentLogger;
const changelog = await openChangelog({ directory: join(root, 'log'), segmentBytes: 4000 }, { logger });
const state = new ModelState();
if (changelog.lastVersion > 0) for (const { changes } of changelog.read(1)) state.apply(changes);
const flatKv = await openFlatKv({ directory: join(root, 'flatkv') }, { changelog, state, logger });
for (let version = state.version + 1; ; version++) {
  const changes = blockAt(version);
  await changelog.append({ changes, record: new Uint8Array(0) });
  state.apply(changes);
  await flatKv.apply(changes);
  process.stdout.write(`${version} ${flatKv.version}\n`);
}
