import { benchKey, openBenchState } from './stateCommitLoad.ts';

/** A process of its own: opens a state, reads `reads` random keys of `keys`, prints what it took as JSON. */
const [directory = '', keys = '0', reads = '0'] = process.argv.slice(2);
const wanted = Array.from({ length: Number(reads) }, (_, i) => benchKey((i * 7919) % Number(keys)));
const started = performance.now();
const state = await openBenchState(directory);
const openMs = performance.now() - started;
let found = 0;
const reading = performance.now();
for (const key of wanted) if (state.commit.get('evm', key)) found++;
const getMicros = ((performance.now() - reading) * 1000) / wanted.length;
console.log(JSON.stringify({ openMs, getMicros, found, residentBytes: process.memoryUsage().rss }));
await state.close();
