import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientBench, missingProgram, openClientBench } from '../support/clientProgram.ts';
import { leftOutIf } from '../support/required.ts';

/** Kept from one run to the next: its packages take minutes to build. */
const TARGET = resolve('node_modules/.cache/alloy');

describe('alloy', leftOutIf('alloy', missingProgram('cargo', '--version')), () => {
  let bench: ClientBench;
  beforeAll(async () => {
    bench = await openClientBench('alloy', { split: true });
  });
  afterAll(() => bench?.close());

  it('reads blocks and fees, sends, deploys, calls and filters', async () => {
    const printed = await bench.run('cargo', 'run', '-q', '--locked', '--target-dir', TARGET);
    expect(printed).toMatch(/^4 passed$/m);
  });
});
