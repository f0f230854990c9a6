import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseGenesisDoc } from '../../comet/index.ts';
import { parseGenesis } from '../../execution/index.ts';
import { loadConfig } from '../loadConfig.ts';
import { type HomeOptions, initialiseHome } from './initialiseHome.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const init = (options: Partial<HomeOptions> = {}) =>
  initialiseHome({
    home,
    moniker: 'm',
    chainId: 'chain-local-1',
    mode: 'rpc',
    engine: 'embedded',
    overwrite: false,
    ...options,
  });
const read = (file: string) => readFile(join(home, file), 'utf8');

describe('initialiseHome', () => {
  it('makes a home that loads, with a genesis that both parsers accept', async () => {
    const made = await init({ mode: 'archive', engine: 'cometbft' });
    expect(made).toMatchObject({ evmChainId: 713_714n, kept: [] });
    const { app, comet, warnings } = await loadConfig({ home });
    expect(warnings).toEqual([]);
    expect(app.node).toMatchObject({ mode: 'archive', engine: 'cometbft', development: false });
    expect(comet.base.moniker).toBe('m');
    const genesis = parseGenesisDoc(await read('config/genesis.json'));
    expect(genesis.chainId).toBe('chain-local-1');
    expect(genesis.validators).toHaveLength(1);
    expect(parseGenesis(genesis.appState).evmChainId).toBe(713_714n);
  });

  it('asks for an EVM chain id with every other chain id, before it writes anything', async () => {
    await expect(init({ chainId: 'other-1' })).rejects.toMatchObject({ code: 'CONFIG_CHAIN_ID' });
    await expect(init({ chainId: 'a b', evmChainId: 5n })).rejects.toMatchObject({ code: 'CONFIG_CHAIN_ID' });
    await expect(init({ evmChainId: 0n })).rejects.toMatchObject({ code: 'CONFIG_CHAIN_ID' });
    await expect(stat(join(home, 'config'))).rejects.toThrow();
    expect((await init({ chainId: 'other-1', evmChainId: 5n })).evmChainId).toBe(5n);
  });

  it('begins with the genesis and keys that are given', async () => {
    const source = await mkdtemp(join(tmpdir(), 'given-'));
    await init({ home: source, chainId: 'other-1', evmChainId: 5n });
    const given = {
      genesis: join(source, 'config/genesis.json'),
      nodeKey: join(source, 'config/node_key.json'),
      validatorKey: join(source, 'config/priv_validator_key.json'),
    };
    const made = await init({ given });
    expect(made).toMatchObject({ chainId: 'other-1', evmChainId: 5n });
    for (const file of ['genesis.json', 'node_key.json', 'priv_validator_key.json']) {
      expect(await read(`config/${file}`)).toBe(await readFile(join(source, 'config', file), 'utf8'));
    }
    expect((await stat(join(home, 'config/priv_validator_key.json'))).mode & 0o777).toBe(0o600);
    await writeFile(given.genesis, '{}');
    await rm(home, { recursive: true });
    await expect(init({ given })).rejects.toMatchObject({ code: 'CONFIG_GIVEN_FILE' });
    await expect(stat(join(home, 'config'))).rejects.toThrow();
    await rm(source, { recursive: true });
  });

  it('keeps app.toml and the node key that the documented wipe leaves', async () => {
    const first = await init();
    await writeFile(join(home, 'config/app.toml'), '[state-store]\nevm-ss-split = true\n');
    for (const gone of [
      'data',
      'config/priv_validator_key.json',
      'config/genesis.json',
      'config/config.toml',
    ]) {
      await rm(join(home, gone), { recursive: true });
    }
    const second = await init();
    expect(second.nodeId).toBe(first.nodeId);
    expect(second.kept).toEqual(['config/node_key.json', 'config/app.toml']);
    expect((await loadConfig({ home })).app['state-store']['evm-ss-split']).toBe(true);
  });

  it('refuses a home with a genesis, a validator key or data', async () => {
    await init();
    await expect(init()).rejects.toMatchObject({ code: 'CONFIG_HOME_OCCUPIED' });
    await rm(join(home, 'config/genesis.json'));
    await rm(join(home, 'data'), { recursive: true });
    await expect(init()).rejects.toThrow('config/priv_validator_key.json');
  });

  it('overwrites genesis and configuration, never keys or the last-sign state, and never under data', async () => {
    await init();
    const signed = '{"height":"7","round":0,"step":3}';
    await writeFile(join(home, 'data/priv_validator_state.json'), signed);
    const keys = await Promise.all(['config/priv_validator_key.json', 'config/node_key.json'].map(read));
    await init({ overwrite: true, mode: 'validator', chainId: 'next-1', evmChainId: 9n });
    expect(await read('data/priv_validator_state.json')).toBe(signed);
    expect(await Promise.all(['config/priv_validator_key.json', 'config/node_key.json'].map(read))).toEqual(
      keys,
    );
    expect((await loadConfig({ home })).app.node.mode).toBe('validator');
    expect(parseGenesisDoc(await read('config/genesis.json')).chainId).toBe('next-1');
    await writeFile(join(home, 'data/changelog'), '');
    await expect(init({ overwrite: true })).rejects.toThrow('data/changelog');
  });
});
