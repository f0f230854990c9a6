import { silentLogger } from '@chain/platform';
import { openChangelog } from './changelog.ts';

/** Run by the crash test: appends until it is killed, and prints each version once it is acknowledged. */
const directory = process.argv[2]!;
const log = await openChangelog({ directory, segmentBytes: 2000 }, { logger: silentLogger });
for (let next = log.lastVersion + 1; ; next += 3) {
  await Promise.all(
    [next, next + 1, next + 2].map(async (version) => {
      const value = new Uint8Array(100).fill(version);
      const changes = {
        version,
        stores: [{ store: 'bank', changes: [{ key: value.subarray(0, 8), value }] }],
      };
      await log.append({ changes, record: value });
      process.stdout.write(`${version}\n`);
    }),
  );
}
