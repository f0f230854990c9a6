import assert from 'node:assert';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusNames, corpusOf, keep } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { fuzz } from './fuzz.ts';
import { faultOf } from './fuzzTarget.ts';

/** Of each target; `npm run test:soak -- fuzz` takes a minute. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
// V8 counts the blocks of what is compiled later, so that targets are loaded behind it.
const coverage = SECONDS > 0 ? new Coverage() : undefined;
const { FUZZ_TARGETS } = await import('./fuzzTargets.ts');
afterAll(() => coverage?.close());

/** What a longer run may add for each target. */
const MAX_KEPT = 20;
const MAX_KEPT_BYTES = 2048;

it('the corpus is of targets that exist', () => {
  const names = FUZZ_TARGETS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of corpusNames()) expect(names).toContain(name);
});

describe.each(FUZZ_TARGETS)('$name', (target) => {
  it('takes or refuses its seeds, what once was a fault, and what showed new code', () => {
    const seeds = target.seeds.map((seed, i) => ({
      name: `seed ${i}`,
      bytes: Buffer.from(seed as Uint8Array),
    }));
    for (const { name, bytes } of [...seeds, ...corpusOf(target.name)]) {
      const fault = faultOf(target, bytes);
      assert.ok(fault === undefined, `${target.name}: ${name}: ${describeFault(fault)}`);
    }
  });

  if (SECONDS === 0) return;
  it('finds nothing that is neither taken nor refused', { timeout: 600_000 }, () => {
    const corpus = corpusOf(target.name).map(({ bytes }) => bytes);
    const { inputs, features, kept, findings } = fuzz(
      target,
      { seconds: SECONDS, seed: SEED, corpus },
      coverage!,
    );
    process.stderr.write(
      `fuzz ${target.name}: ${inputs} inputs, ${features} blocks of code, ${kept.length} new\n`,
    );
    if (process.env.FUZZ_KEEP === '1') {
      const shortest = kept
        .filter(({ length }) => length <= MAX_KEPT_BYTES)
        .sort((a, b) => a.length - b.length);
      for (const input of shortest.slice(0, MAX_KEPT)) keep(target.name, 'new', input);
    }
    const told = findings.map(
      ({ input, fault }) => `${keep(target.name, 'fault', input)}: ${describeFault(fault)}`,
    );
    expect(told).toEqual([]);
  });
});

function describeFault(fault: unknown): string {
  return fault instanceof Error
    ? (fault.stack ?? fault.message).split('\n').slice(0, 6).join(' | ')
    : String(fault);
}
