import { availableParallelism } from 'node:os';
import { openHome } from './openHome.ts';
import { openReplay } from './replay.ts';

/** A process of its own, on the processors that it was given: executes the blocks of a stopped node's home anew. */
const [source = '', target = '', sourceSplit, split, engine] = process.argv.slice(2);
const survivor = await openHome(source, { split: sourceSplit === 'split' });
const replay = await openReplay(
  target,
  source,
  split === 'split',
  engine === 'reference' ? 'reference' : 'wasm',
);
const height = await replay.check(survivor);
const appHash = Buffer.from(survivor.chain.appHash).toString('hex');
process.stdout.write(JSON.stringify({ processors: availableParallelism(), height, appHash }));
await replay.close();
await survivor.close();
