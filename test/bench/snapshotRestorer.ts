import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { Restore, SnapshotShelf } from '../../node/src/state/snapshot/index.ts';
import { timed } from './took.ts';

/** A process of its own: restores the one snapshot of a shelf into a home, prints what it took as JSON. */
const STORES = ['bank', 'evm'];
const [shelfDirectory = '', home = '', split = ''] = process.argv.slice(2);
// As the program does: a thread's code is compiled once, not in each.
enableCompileCache();

const shelf = new SnapshotShelf(shelfDirectory);
const { description, restorePoint } = shelf.list()[0]!;
const data = (name: string): string => join(home, 'data', name);
const target = {
  home,
  changelog: data('changelog'),
  commit: data('committer.db'),
  flatKv: data('flatkv'),
  base: data('pebbledb'),
  evm: data('evm_ss'),
  history: data('history'),
  backend: 'pebbledb',
  split: split === 'true',
  separateDbs: false,
} as const;
const took = await timed(async () => {
  const restore = await Restore.offer(
    description,
    { target, stores: STORES, appHash: restorePoint.appHash },
    { beginHistory: async () => undefined, logger: silentLogger },
  );
  for (let index = 0; index < description.chunks; index++) {
    await restore.applyChunk(index, await shelf.loadChunk(description.height, index));
  }
  await restore.finish();
});
console.log(JSON.stringify(took));
