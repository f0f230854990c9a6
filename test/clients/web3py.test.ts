import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientBench, missingProgram, openClientBench } from '../support/clientProgram.ts';
import { leftOutIf } from '../support/required.ts';

describe('web3.py', leftOutIf('web3.py', missingProgram('python3', '-c', 'import venv, ensurepip')), () => {
  let bench: ClientBench;
  beforeAll(async () => {
    bench = await openClientBench('web3py');
    await bench.run('python3', '-m', 'venv', 'venv');
    const pip = join(bench.directory, 'venv/bin/pip');
    await bench.run(pip, 'install', '-q', '--disable-pip-version-check', '-r', 'requirements.txt');
  });
  afterAll(() => bench?.close());

  it('connects, sends, deploys, filters, simulates, and reads fees, reverts and traces', async () => {
    expect(await bench.run(join(bench.directory, 'venv/bin/python'), 'check.py')).toMatch(/^6 passed$/m);
  });
});
