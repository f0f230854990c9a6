import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientBench, missingProgram, openClientBench } from '../support/clientProgram.ts';
import { leftOutIf } from '../support/required.ts';

describe("go-ethereum's ethclient", leftOutIf('ethclient', missingProgram('go', 'version')), () => {
  let bench: ClientBench;
  beforeAll(async () => {
    bench = await openClientBench('ethclient', { split: true });
  });
  afterAll(() => bench?.close());

  it('reads blocks, contracts, logs and proofs, sends, and subscribes', async () => {
    const printed = await bench.run('go', 'test', '-count=1', '-v', './...');
    expect(printed.match(/^--- PASS/gm)).toHaveLength(4);
    expect(printed).not.toMatch(/^--- SKIP/m);
  });
});
