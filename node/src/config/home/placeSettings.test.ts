import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachSetting, settingName } from '@chain/platform/settings';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMET_TABLE } from '../cometSettings.ts';
import { loadConfig } from '../loadConfig.ts';
import { initialiseHome } from './initialiseHome.ts';
import { placeSettings } from './placeSettings.ts';

let home: string;
let given: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'place-home-'));
  given = await mkdtemp(join(tmpdir(), 'place-given-'));
  await initialiseHome({
    home,
    moniker: 'm',
    chainId: 'chain-local-1',
    mode: 'rpc',
    engine: 'cometbft',
    overwrite: false,
  });
});
afterEach(async () => {
  for (const directory of [home, given]) await rm(directory, { recursive: true, force: true });
});

const give = (name: string, text: string) => writeFile(join(given, name), text);
const SPLIT =
  '[node]\nengine = "cometbft"\n[state-store]\nevm-ss-split = true\nss-keep-recent = 7\n[evm]\nhttp_port = 1\n';

describe('placeSettings', () => {
  it('takes the files as they are while the home has no data, and says what has changed', async () => {
    await give('app.toml', SPLIT);
    await give('config.toml', 'moniker = "other"\n');
    expect(await placeSettings(home, given)).toEqual(['config/app.toml', 'config/config.toml']);
    const { app, comet } = await loadConfig({ home });
    expect([app['state-store']['evm-ss-split'], app.evm.http_port, comet.base.moniker]).toEqual([
      true,
      1,
      'other',
    ]);
    expect(await placeSettings(home, given)).toEqual([]);
  });

  it('writes every key of config.toml, for CometBFT takes none from its environment that the file lacks', async () => {
    await give('config.toml', 'moniker = "other"\n[p2p]\nseeds = "x"\n');
    await placeSettings(home, given);
    const text = await readFile(join(home, 'config/config.toml'), 'utf8');
    for (const [section, key] of eachSetting(COMET_TABLE)) {
      const name = settingName(section, key);
      expect(
        text.split('\n').filter((line) => line.startsWith(`${key} = `)),
        name,
      ).not.toEqual([]);
    }
    expect(text.match(/^moniker = .*$/gm)).toEqual(['moniker = "other"']);
    expect(text.match(/^seeds = .*$/gm)).toEqual(['seeds = "x"']);
  });

  it('leaves the layout alone that data have, and takes the rest', async () => {
    await mkdir(join(home, 'data/changelog'), { recursive: true });
    await give('app.toml', SPLIT);
    expect(await placeSettings(home, given)).toEqual(['config/app.toml']);
    const store = (await loadConfig({ home })).app['state-store'];
    expect([store['evm-ss-split'], store['ss-keep-recent']]).toEqual([false, 7]);
  });

  it('leaves a layout alone that a migration has chosen, while its data are gone', async () => {
    await mkdir(join(home, 'migration'));
    await writeFile(join(home, 'migration/journal.json'), '{}');
    await give('app.toml', SPLIT);
    await placeSettings(home, given);
    expect((await loadConfig({ home })).app['state-store']['evm-ss-split']).toBe(false);
  });

  it('leaves a state sync alone that the home is set to, with the peers that were found for it', async () => {
    const id = (digit: string) => digit.repeat(40);
    await writeFile(
      join(home, 'config/config.toml'),
      `[p2p]\npersistent_peers = "${id('a')}@a:1,${id('b')}@b:1"\n[statesync]\nenable = true\ntrust_height = 9\n`,
    );
    await give('config.toml', `[p2p]\npersistent_peers = "${id('b')}@better:1"\n`);
    await placeSettings(home, given);
    const { statesync, p2p } = (await loadConfig({ home })).comet;
    expect([statesync.enable, statesync.trust_height]).toEqual([true, 9]);
    expect(p2p.persistent_peers).toBe(`${id('b')}@better:1,${id('a')}@a:1`);
  });

  it('refuses a wrong key by name, and writes nothing', async () => {
    await give('app.toml', '[evm]\nhttp_prt = 1\n');
    const before = await readFile(join(home, 'config/app.toml'), 'utf8');
    await expect(placeSettings(home, given)).rejects.toMatchObject({
      message: expect.stringContaining('did you mean evm.http_port?'),
    });
    await expect(placeSettings(home, join(given, 'nowhere'))).rejects.toMatchObject({
      code: 'CONFIG_GIVEN_FILE',
    });
    expect(await readFile(join(home, 'config/app.toml'), 'utf8')).toBe(before);
  });
});
