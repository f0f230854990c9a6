import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { availableBackends } from '../../db/index.ts';
import type { StateStore } from './stateStore.ts';
import { StoreHome, textAt } from './stateStoreCompliance.ts';

const FIXTURE = join(import.meta.dirname, 'crashLoop.fixture.ts');

/** Runs the committing child and kills it once it has said `lines` lines; gives the last version it announced. */
function killAfter(lines: number, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [FIXTURE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').length > lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== null) reject(new RangeError(`child ended by itself with code ${code}`));
      else resolve(Number(output.split('\n').at(-2)) || 0);
    });
  });
}

function expectHistory(store: StateStore, latest: number): void {
  for (let version = 1; version <= latest; version++) {
    const evm = version % 3 === 0 ? version - 1 : version;
    expect(textAt(store, 'bank', 'k', version)).toBe(`${version}`);
    expect(textAt(store, 'evm', 'k', version)).toBe(`${evm}`);
    expect(textAt(store, 'bank', `own${version}`, version)).toBe('');
    expect(textAt(store, 'bank', `own${version}`, version - 1)).toBeUndefined();
    expect(textAt(store, 'evm', `own${version}`, latest)).toBe(version % 3 === 0 ? undefined : '');
    expect(textAt(store, 'evm', `\x03${String(evm % 5).repeat(52)}`, version)).toBe(`${evm}`);
  }
}

describe.each(availableBackends())('a node with %s killed while it writes', (backend) => {
  for (const [name, split, separateDbs] of [
    ['one store', false, false],
    ['split', true, false],
    ['split, separate databases', true, true],
  ] as const) {
    it(`has every announced version afterwards: ${name}`, async () => {
      const home = await StoreHome.create();
      const args = [home.directory, backend, String(split), String(separateDbs)];
      await home.changelog.close();
      // Before, at and just behind the first block of a young chain, then deeper into it.
      for (const lines of backend === 'rocksdb' ? [1, 3, 133] : [1, 2, 3, 40, 7, 333]) {
        const announced = await killAfter(lines, args);
        await home.reopenChangelog();
        expect(home.changelog.lastVersion).toBeGreaterThanOrEqual(announced);
        const store = await home.open({ backend, split, separateDbs });
        expect(store.latestVersion).toBe(home.changelog.lastVersion);
        expect(store.durableVersion).toBe(home.changelog.lastVersion);
        expectHistory(store, store.latestVersion);
        await store.close();
        await home.changelog.close();
      }
      await home.remove();
    });
  }
});
