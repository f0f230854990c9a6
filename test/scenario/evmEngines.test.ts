import { expect, it } from 'vitest';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { mapKeyOf } from '../../node/src/primitives/index.ts';
import { outcomeOf, randomEvmCase } from '../support/evmPrograms.ts';
import { framesOf, looksOf, stepsOf } from '../support/evmWatchers.ts';
import { createRandom } from '../support/random.ts';

const PROGRAMS = Number(process.env.EVM_PROGRAMS ?? 1_000);
const SEED = Number(process.env.SOAK_SEED ?? 1);
const CHAIN_ID = 713_714n;
/** How a program is watched: each sixteenth in its own way, the others not at all. */
const WATCHED = [framesOf, framesOf, stepsOf, looksOf];
/** Long runs say now and then how far they are. */
const PROGRESS = 10_000;

it(`runs ${PROGRAMS} random programs of every fork to the results of the reference engine, a fourth of them watched in some way, an eighth translated at once`, {
  timeout: 120_000 + 60 * PROGRAMS,
}, async () => {
  const reference = createEvmEngine({ chainId: CHAIN_ID, kind: 'reference' });
  const ours = createEvmEngine({ chainId: CHAIN_ID });
  const translating = createEvmEngine({ chainId: CHAIN_ID, hotGas: 0 });
  for (let i = 0; i < PROGRAMS; i++) {
    const program = randomEvmCase(createRandom(SEED * 10_000_000 + i));
    const seenOf = WATCHED[i % 16] ?? outcomeOf;
    const expected = await seenOf(reference, program, mapKeyOf);
    for (const engine of i % 16 === 0 || seenOf === looksOf ? [ours, translating] : [ours]) {
      if ((await seenOf(engine, program, mapKeyOf)) === expected) continue;
      const shown = await seenOf(reference, program);
      expect(await seenOf(engine, program), `seed ${SEED}, program ${i}`).toBe(shown);
    }
    if ((i + 1) % PROGRESS === 0) process.stdout.write(`${i + 1} programs, seed ${SEED}\n`);
  }
});
