import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCometbft } from './findCometbft.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'find-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A program that says this of its version. */
function program(version: string): string {
  const path = join(directory, 'cometbft');
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('finding CometBFT', () => {
  it('takes the one that is named, else the first on PATH', async () => {
    const path = program('0.38.26');
    expect(await findCometbft(path, {})).toEqual({ path, version: '0.38.26' });
    expect(await findCometbft('', { PATH: `/nowhere:${directory}` })).toEqual({ path, version: '0.38.26' });
  });

  it('says how to install it when there is none', async () => {
    await expect(findCometbft('', { PATH: '/nowhere' })).rejects.toThrow('go install github.com/cometbft');
    await expect(findCometbft(join(directory, 'none'), {})).rejects.toMatchObject({
      code: 'CONSENSUS_COMETBFT_MISSING',
    });
  });

  it.each(['1.0.1', '0.37.9', 'v2'])('refuses release %s', async (version) => {
    await expect(findCometbft(program(version), {})).rejects.toMatchObject({
      code: 'CONSENSUS_COMETBFT_VERSION',
      message: expect.stringContaining('0.38.x is wanted'),
    });
  });
});
