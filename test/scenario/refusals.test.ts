import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaindHere } from '../support/chaindHere.ts';
import { startDevNode } from '../support/devNode.ts';
import {
  createHomes,
  edit,
  heightOf,
  type MadeChain,
  makeChain,
  refusalOf,
  start,
} from '../support/madeChain.ts';
import { rpcCall } from '../support/rpcCall.ts';

const homes = createHomes();
let one: MadeChain;
beforeAll(async () => {
  one = await makeChain(homes.fresh(), false);
});
afterAll(() => homes.remove());

describe('configuration that cannot work', () => {
  it.each([
    [
      'state-commit',
      'sc-enable = false',
      'state-commit.sc-enable = false: this layer cannot be switched off; write true',
    ],
    [
      'state-store',
      'ss-enable = false',
      'state-store.ss-enable = false: this layer cannot be switched off; write true',
    ],
    [
      'state-store',
      'ss-backend = "leveldb"',
      'state-store.ss-backend = "leveldb": unknown value; write "pebbledb" or "rocksdb"',
    ],
    [
      'state-store',
      'ss-keep-recent = -1',
      'state-store.ss-keep-recent = -1: negative; write a number, 0 or more',
    ],
    [
      'state-store',
      'evm-ss-write-mode = "split_write"',
      'state-store.evm-ss-write-mode = "split_write": this key of older releases is gone; remove it and write evm-ss-split = true or false, or run "chaind config migrate"',
    ],
    [
      'state-store',
      'evm-ss-splt = true',
      'state-store.evm-ss-splt = true: unknown key; did you mean state-store.evm-ss-split?',
    ],
  ])('[%s] %s is refused in one line by validate and by start', async (section, setting, message) => {
    const home = homes.copyOf(one.home);
    writeFileSync(join(home, 'config/app.toml'), `[${section}]\n${setting}\n`);
    const outcomes = await Promise.all([chaindHere(['config', 'validate', '--home', home]), start(home)]);
    expect(outcomes.map(refusalOf)).toEqual(Array(2).fill(`error: app.toml: ${message}`));
  });

  it.each(['validator', 'archive'])(
    'the split on a node of mode %s is refused, but not in a development home',
    async (mode) => {
      const home = homes.fresh();
      expect(await chaindHere(['init', 'm', '--home', home, '--mode', mode])).toMatchObject({ code: 0 });
      edit(home, 'evm-ss-split', 'true');
      const outcomes = await Promise.all([chaindHere(['config', 'validate', '--home', home]), start(home)]);
      expect(new Set(outcomes.map(refusalOf))).toEqual(
        new Set([
          `error: app.toml: state-store.evm-ss-split = true: not supported on a node of mode "${mode}"; write false, or run the split on an RPC node (node.mode = "rpc")`,
        ]),
      );
      expect(existsSync(join(home, 'data/evm_ss'))).toBe(false);
      edit(home, 'development', 'true');
      expect(await chaindHere(['config', 'validate', '--home', home])).toMatchObject({ code: 0 });
    },
  );

  it.each([
    ['config/app.toml', '[evm\n', /app\.toml: line 1, column 6 .*; correct the line or restore the file$/],
    ['config/config.toml', 'a = = 1\n', /config\.toml: line 1, .*; correct the line or restore the file$/],
    [
      'config/genesis.json',
      '{"chain_id":',
      /config\/genesis\.json is invalid: .*; restore the file that the chain began with$/,
    ],
    [
      'config/genesis.json',
      undefined,
      /cannot read .*config\/genesis\.json \(ENOENT\); run "chaind init" or restore the file$/,
    ],
    [
      'config/app.toml',
      undefined,
      /config\/app\.toml does not exist; make a home with "chaind init <moniker> --home .*$/,
    ],
    [
      'config/priv_validator_key.json',
      '{',
      /config\/priv_validator_key\.json: is not JSON; restore it from your backup$/,
    ],
    [
      'data/priv_validator_state.json',
      undefined,
      /priv_validator_state\.json: cannot be read \(ENOENT\); restore it from your backup$/,
    ],
  ])('a broken or missing %s (%j) is named with its remedy', async (file, content, message) => {
    const home = homes.copyOf(one.home);
    if (content === undefined) rmSync(join(home, file));
    else writeFileSync(join(home, file), content);
    expect(refusalOf(await start(home))).toMatch(message);
  });

  it('data of the other engine are refused', async () => {
    const home = homes.copyOf(one.home);
    writeFileSync(join(home, 'data/engine'), 'cometbft\n');
    expect(refusalOf(await start(home))).toContain(
      `the data in ${home} was made by the engine "cometbft"; set [node] engine = "cometbft" in app.toml, or state sync`,
    );
  });

  it('a port of the consensus RPC that is taken ends the start, although JSON-RPC listens already', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const address = `tcp://127.0.0.1:${port}`;
    const refusal = refusalOf(await start(homes.copyOf(one.home), '--rpc-laddr', address));
    expect(refusal).toContain(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
    taken.close();
  });

  it('a home that cannot be written is named', async () => {
    const file = join(homes.root, 'file');
    writeFileSync(file, '');
    for (const command of [['init', 'm'], ['dev']]) {
      expect(refusalOf(await chaindHere([...command, '--home', join(file, 'home')]))).toContain(
        `home ${file}/home cannot be used: ${file}/home/config cannot be made or written (ENOTDIR); choose another --home`,
      );
    }
  });
});

describe('a development home', () => {
  it('is the only kind that dev opens and --fresh wipes', async () => {
    const home = homes.fresh();
    await chaindHere(['init', 'm', '--home', home]);
    const genesis = readFileSync(join(home, 'config/genesis.json'), 'utf8');
    for (const flags of [[], ['--fresh']]) {
      expect(refusalOf(await chaindHere(['dev', '--home', home, ...flags]))).toContain(
        `${home} is not a development home; use "chaind start --home ${home}"`,
      );
    }
    expect(readFileSync(join(home, 'config/genesis.json'), 'utf8')).toBe(genesis);

    const development = homes.copyOf(one.home);
    const node = await startDevNode({ home: development, blockTimeMs: 60_000, args: ['--fresh', '--split'] });
    expect(await heightOf(node)).toBeLessThan(one.height);
    expect(await rpcCall(node.url, 'eth_getCode', [one.counter, 'latest'])).toBe('0x');
    expect(existsSync(join(development, 'data/evm_ss'))).toBe(true);
    expect(await node.stop()).toBe(0);
  });
});
