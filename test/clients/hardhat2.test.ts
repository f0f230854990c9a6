import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientBench, openClientBench } from '../support/clientProgram.ts';

describe('Hardhat 2', () => {
  let bench: ClientBench;
  beforeAll(async () => {
    bench = await openClientBench('hardhat2');
    await bench.run('npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--ignore-scripts');
  });
  afterAll(() => bench?.close());

  it('uses every helper of hardhat-network-helpers', async () => {
    const printed = await bench.run(
      join(bench.directory, 'node_modules/.bin/hardhat'),
      'test',
      '--no-compile',
    );
    expect(printed).toMatch(/8 passing/);
    expect(printed).not.toMatch(/failing|pending/);
  });
});
