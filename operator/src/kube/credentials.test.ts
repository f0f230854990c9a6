import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadCredentials } from './index.ts';

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** As a pod has it: a token in a file, which the kubelet replaces. */
function podLike() {
  const directory = mkdtempSync(join(tmpdir(), 'credentials-'));
  directories.push(directory);
  const tokenFile = join(directory, 'token');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'n' } }],
  };
  writeFileSync(join(directory, 'config'), JSON.stringify(config));
  writeFileSync(tokenFile, 'first');
  const replace = (token: string) => writeFileSync(tokenFile, token);
  return { source: loadCredentials(join(directory, 'config')), replace };
}

it('a token that was refused is read from its file again at once', async () => {
  const { source, replace } = podLike();
  const token = async (anew: boolean) => (await source.get(anew)).headers.Authorization;
  expect([source.namespace, await token(false)]).toEqual(['n', 'Bearer first']);
  replace('second');
  expect(await token(false)).toBe('Bearer first');
  expect(await token(true)).toBe('Bearer second');
  expect(await token(false)).toBe('Bearer second');
});
