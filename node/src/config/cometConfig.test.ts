import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachSetting } from '@chain/platform/settings';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { COMET_TABLE } from './cometSettings.ts';
import { loadConfig, rewriteCometConfig } from './loadConfig.ts';

const homes: string[] = [];
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'comet-config-'));
  homes.push(home);
});
afterAll(() => Promise.all(homes.map((path) => rm(path, { recursive: true, force: true }))));

async function write(app: string, comet: string): Promise<void> {
  await mkdir(join(home, 'config'), { recursive: true });
  await writeFile(join(home, 'config/app.toml'), app);
  await writeFile(join(home, 'config/config.toml'), comet);
}

describe('config.toml', () => {
  it('is accepted with hyphens, with a warning, and rewritten for CometBFT', async () => {
    const text =
      '# mine\n[p2p]\npersistent-peers = "a@b:1" # keep\n[mempool]\nkeep-invalid-txs-in-cache = true\n';
    await write('', text);
    const { comet, warnings } = await loadConfig({ home });
    expect(comet.p2p.persistent_peers).toBe('a@b:1');
    expect(comet.mempool['keep-invalid-txs-in-cache']).toBe(true);
    expect(warnings).toEqual(['config.toml: persistent-peers is spelled persistent_peers; taken as that']);
    await rewriteCometConfig(home);
    const rewritten = await readFile(join(home, 'config/config.toml'), 'utf8');
    expect(rewritten).toContain('persistent_peers = "a@b:1" # keep\n');
    expect(rewritten).not.toContain('persistent-peers');
  });

  it('has every key after a start, so that CMT_ variables reach CometBFT, and the same values', async () => {
    await write('', '# mine\n[p2p]\npersistent_peers = "a@b:1" # keep\n');
    const before = await loadConfig({ home });
    expect(await rewriteCometConfig(home)).toEqual([]);
    const path = join(home, 'config/config.toml');
    const whole = await readFile(path, 'utf8');
    const names = new Set([...eachSetting(COMET_TABLE)].map(([, key]) => key));
    for (const name of names) expect(whole).toMatch(new RegExp(`^${name} = `, 'm'));
    expect(await loadConfig({ home })).toEqual(before);
    await rewriteCometConfig(home);
    expect(await readFile(path, 'utf8')).toBe(whole);
  });

  it.each([
    'p2p.persistent_peers = "a@b:1"\n',
    '[p2p]\n"persistent_peers" = "a@b:1"\n',
    'p2p = { pex = false }\n',
  ])('stays as it is where keys are spelled in other ways: %s', async (text) => {
    await write('', text);
    expect(await rewriteCometConfig(home)).toEqual([]);
    expect(await readFile(join(home, 'config/config.toml'), 'utf8')).toBe(text);
  });

  it('is refused with an unknown key', async () => {
    await write('', '[p2p]\npersistent_pears = ""');
    await expect(loadConfig({ home })).rejects.toThrow(
      'config.toml: p2p.persistent_pears = "": unknown key; did you mean p2p.persistent_peers?',
    );
  });
});
