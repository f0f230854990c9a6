import { silentLogger } from '@chain/platform';
import type { DbBackend } from '../../db/index.ts';
import { openChangelog } from '../changelog/index.ts';
import { openStateStore } from './openStateStore.ts';

/**
 * A child process that commits blocks until it is killed: `home backend split separateDbs [prune]`; with `prune`
 * it keeps about 20 versions. Each version v sets
 * `bank/k` and `evm/k` to v, and a key of its own; versions divisible by 3 leave the EVM alone.
 */
type Arguments = [home: string, backend: DbBackend, split: string, separateDbs: string, prune?: string];
const [home, backend, split, separateDbs, prune] = process.argv.slice(2) as Arguments;
const logger = silentLogger;
const changelog = await openChangelog({ directory: `${home}/data/changelog` }, { logger });
const store = await openStateStore(
  {
    home,
    backend,
    split: split === 'true',
    separateDbs: separateDbs === 'true',
    asyncWriteBuffer: 50,
    keepRecent: prune === undefined ? 0 : 20,
    compactAfterBytes: 1 << 14,
    committedVersion: changelog.lastVersion,
  },
  { changelog, logger },
);
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
process.stdout.write('open\n');
for (let version = changelog.lastVersion + 1; ; version++) {
  const rows = [
    { key: bytes('k'), value: bytes(`${version}`) },
    { key: bytes(`own${version}`), value: bytes('') },
  ];
  const storage = { key: bytes(`\x03${String(version % 5).repeat(52)}`), value: bytes(`${version}`) };
  const evm = { store: 'evm', changes: [storage, ...rows] };
  const changes = {
    version,
    stores: [{ store: 'bank', changes: rows }, ...(version % 3 === 0 ? [] : [evm])],
  };
  await changelog.append({ changes, record: new Uint8Array(0) });
  await store.apply(changes);
  const floor = store.durableVersion - 20;
  if (prune !== undefined && version % 4 === 0 && floor > 0) void store.prune(floor);
  process.stdout.write(`${version}\n`);
}
