import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, silentLogger } from '@chain/platform';
import { settingsToml } from '@chain/platform/program';
import { parseToml } from '@chain/platform/settings';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limiterReference } from './limiterReference.ts';
import type { LimiterSettings } from './limiterTable.ts';
import { LiveSettings } from './liveSettings.ts';
import { LIMITER, loadSettings } from './loadSettings.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'limiter-settings-'));
});
afterEach(() => rm(directory, { recursive: true }));

const NOTHING = { file: undefined, environment: {}, flags: {} };
async function fileWith(text: string): Promise<string> {
  const file = join(directory, 'limiter.toml');
  await writeFile(file, text);
  return file;
}
const refusal = async (sources: Partial<Parameters<typeof loadSettings>[0]>): Promise<string[]> => {
  const error = await loadSettings({ ...NOTHING, ...sources }).catch((it: Error) => it);
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message.split('\n');
};

describe('settings', () => {
  it('are 10 a second with a burst of 20, and unsafe methods refused, when nobody says otherwise', async () => {
    const { settings } = await loadSettings(NOTHING);
    expect(settings.limit).toMatchObject({ rate: 10, burst: 20, 'reject-status': 429, 'ipv6-prefix': 64 });
    expect(settings.methods).toEqual({ allow: [], deny: ['unsafe_*', 'dial_seeds', 'dial_peers'] });
    expect(settings.upstream.url).toBe('http://127.0.0.1:26667');
    expect([settings.listen, settings.admin]).toEqual([
      { address: '127.0.0.1', port: 26657 },
      { address: '127.0.0.1', port: 9101 },
    ]);
  });

  it('come from flags, else the environment, else the file', async () => {
    const file = await fileWith('[limit]\nrate = 1\nburst = 2\nmax-clients = 3\n');
    const environment = {
      CHAIN_RATE_LIMITER_LIMIT_BURST: '20',
      CHAIN_RATE_LIMITER_LIMIT_MAX_CLIENTS: '30',
      CHAIN_RATE_LIMITER_CLIENTS_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
    };
    const { settings } = await loadSettings({ file, environment, flags: { 'limit.max-clients': '300' } });
    expect(settings.limit).toMatchObject({ rate: 1, burst: 20, 'max-clients': 300 });
    expect(settings.clients['trusted-proxies']).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  it('take a list by commas, or as the file has it', async () => {
    const listed = async (text: string) => {
      const flags = { 'methods.deny': text };
      return (await loadSettings({ file: undefined, environment: {}, flags })).settings.methods.deny;
    };
    expect(await listed('a, b')).toEqual(['a', 'b']);
    expect(await listed('["a", "b"]')).toEqual(['a', 'b']);
    expect(await listed(" ['a',] ")).toEqual(['a']);
    expect(await listed('[]')).toEqual([]);
    await expect(listed('[a, b]')).rejects.toThrow('a list such as ["a", "b"]');
  });

  it('are refused all at once, each line with key, value and remedy', async () => {
    const file = await fileWith(
      '[limit]\nrate = -1\nbrust = 3\n[clients]\ntrusted-proxies = ["10.0.0.0/33"]\n[methods]\ndeny = ["a b"]\n',
    );
    expect(await refusal({ file, environment: { CHAIN_RATE_LIMITER_HTTP_MAX_BODY_BYTES: '1' } })).toEqual([
      `${file}: limit.rate = -1: negative; write a number, 1 to 1000000`,
      `${file}: limit.brust = 3: unknown key; did you mean limit.burst?`,
      'environment CHAIN_RATE_LIMITER_HTTP_MAX_BODY_BYTES: http.max-body-bytes = "1": out of range; write a number, 1024 or more',
      'settings: clients.trusted-proxies = "10.0.0.0/33": no network; write an address, or one with /bits',
      'settings: methods.deny = "a b": no method; write a name such as "status" or "unsafe_*"',
    ]);
  });

  it('that contradict each other are refused', async () => {
    expect(await refusal({ flags: { 'clients.proxy-protocol': 'true' } })).toEqual([
      'settings: clients.proxy-protocol = true: nobody is trusted to send it; name clients.trusted-proxies',
    ]);
    expect(await refusal({ flags: { 'admin.port': '26657' } })).toEqual([
      'settings: admin.port = 26657: listen.port is the same; write another',
    ]);
    expect(await refusal({ flags: { 'upstream.url': 'https://node' } })).toHaveLength(1);
  });

  it('of a file that is not there, or no TOML, name the file', async () => {
    expect(await refusal({ file: join(directory, 'none.toml') })).toEqual([
      `cannot read ${join(directory, 'none.toml')} (ENOENT); give --config a readable file, or leave it out for the defaults`,
    ]);
    expect((await refusal({ file: await fileWith('[limit\n') }))[0]).toContain('limiter.toml: line ');
  });

  it('written as a file are read back', async () => {
    const { settings: defaults } = await loadSettings(NOTHING);
    const changed = { ...defaults, limit: { ...defaults.limit, burst: 40 } };
    const file = await fileWith(settingsToml(LIMITER, changed));
    expect((await loadSettings({ ...NOTHING, file })).settings).toEqual(changed);
    expect(Object.keys(parseToml('x', settingsToml(LIMITER)))).toEqual(Object.keys(defaults));
  });

  it('have a page that is up to date', async () => {
    expect(await readFile('docs/reference/rate-limiter.md', 'utf8')).toBe(limiterReference());
  });
});

describe('live settings', () => {
  /** A ConfigMap as the kubelet mounts it: the file is a link through a directory that is swapped. */
  async function mount(version: string, text: string): Promise<void> {
    await mkdir(join(directory, version));
    await writeFile(join(directory, version, 'limiter.toml'), text);
    await symlink(version, join(directory, '..data_new'));
    await rename(join(directory, '..data_new'), join(directory, '..data'));
  }

  it('follow their file, also through swapped links, and keep the old ones when the new have faults', async () => {
    await mount('v1', '[limit]\nburst = 1\n');
    const file = join(directory, 'limiter.toml');
    await symlink('..data/limiter.toml', file);
    const sources = { ...NOTHING, file };
    const { settings } = await loadSettings(sources);
    const seen: number[] = [];
    const reloads: boolean[] = [];
    const lines: string[] = [];
    const live = new LiveSettings(sources, settings, {
      logger: createLogger({ write: (line) => lines.push(line) }),
      onChange: (next: LimiterSettings) => seen.push(next.limit.burst),
      onReload: (ok) => reloads.push(ok),
    });
    // What is there is known before it changes.
    await live.reload();
    await mount('v2', '[limit]\nburst = 2\n[listen]\nport = 1\n');
    await expect.poll(() => seen).toEqual([1, 2]);
    expect(lines.join('')).toContain('"settings":["listen.port"]');
    await mount('v3', '[limit]\nburst = "many"\n');
    await expect.poll(() => reloads).toEqual([true, true, false]);
    expect(lines.join('')).toContain('limit.burst = \\"many\\": not a whole number');
    await mount('v4', '[limit]\nburst = 4\n');
    await expect.poll(() => seen).toEqual([1, 2, 4]);
    live.close();
  });

  it('without a file are loaded when they are asked for', async () => {
    const { settings } = await loadSettings(NOTHING);
    let loaded = 0;
    const live = new LiveSettings(NOTHING, settings, {
      logger: silentLogger,
      onChange: () => loaded++,
      onReload: () => undefined,
    });
    await live.reload();
    expect(loaded).toBe(1);
    live.close();
  });
});
