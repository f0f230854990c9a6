import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eachSetting,
  formatDuration,
  parseDuration,
  parseToml,
  Refusal,
  type SettingTable,
  settingName,
} from '@chain/platform/settings';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LEGACY_METHODS } from '../rpc/index.ts';
import { APP_TABLE } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';
import { appToml, configToml } from './configFiles.ts';
import { loadConfig } from './loadConfig.ts';
import { configReference } from './referencePage.ts';

const homes: string[] = [];
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'config-'));
  homes.push(home);
  await write('', '');
});
afterAll(() => Promise.all(homes.map((it) => rm(it, { recursive: true }))));

async function write(app: string, config: string): Promise<void> {
  await mkdir(join(home, 'config'), { recursive: true });
  await writeFile(join(home, 'config/app.toml'), app);
  await writeFile(join(home, 'config/config.toml'), config);
}

/** The lines of the refusal of an app.toml. */
async function refusal(app: string): Promise<string[]> {
  await write(app, '');
  const error = await loadConfig({ home }).catch((it: Error) => it);
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message.split('\n');
}

describe('app.toml', () => {
  it('may be empty: absent keys keep their defaults', async () => {
    const { app, warnings } = await loadConfig({ home });
    expect(warnings).toEqual([]);
    expect(app['state-store']).toMatchObject({
      'ss-enable': true,
      'ss-backend': 'pebbledb',
      'ss-keep-recent': 100_000,
      'ss-prune-interval': 600,
      'evm-ss-split': false,
    });
    expect(app.evm.enabled_legacy_chain_apis).toEqual([
      'chain_getChainAddress',
      'chain_getEVMAddress',
      'chain_getLedgerTx',
    ]);
    expect(app.evm.filter_timeout).toBe(300_000);
    expect(app.admin.port).toBe(26_661);
  });

  it('has other defaults for other roles', async () => {
    await write('[node]\nmode = "archive"', '');
    expect((await loadConfig({ home })).app['state-store']['ss-keep-recent']).toBe(0);
    await write('[node]\nmode = "validator"', '');
    expect((await loadConfig({ home })).app.evm.http_enabled).toBe(false);
  });

  it.each([
    [
      '[state-store]\nss-backend = "rockdb"',
      'app.toml: state-store.ss-backend = "rockdb": unknown value; write "pebbledb" or "rocksdb"',
    ],
    [
      '[state-store]\nss-backnd = "rocksdb"',
      'app.toml: state-store.ss-backnd = "rocksdb": unknown key; did you mean state-store.ss-backend?',
    ],
    [
      '[state-store]\nevm-ss-write-mode = "dual_write"',
      'app.toml: state-store.evm-ss-write-mode = "dual_write": this key of older releases is gone; remove it and write evm-ss-split = true or false, or run "chaind config migrate"',
    ],
    [
      '[state-store]\nevm-ss-read-mode = "x"',
      'app.toml: state-store.evm-ss-read-mode = "x": this key of older releases is gone; remove it and write evm-ss-split = true or false, or run "chaind config migrate"',
    ],
    [
      '[state-store]\nss-async-write-buffer = -1',
      'app.toml: state-store.ss-async-write-buffer = -1: negative; write a number, 0 or more',
    ],
    [
      '[state-commit]\nsc-enable = false',
      'app.toml: state-commit.sc-enable = false: this layer cannot be switched off; write true',
    ],
    [
      '[state-store]\nss-enable = false',
      'app.toml: state-store.ss-enable = false: this layer cannot be switched off; write true',
    ],
    [
      '[evm]\nhttp_port = "8545"',
      'app.toml: evm.http_port = "8545": not a whole number within 2^53; write a number, 0 to 65535',
    ],
    ['[state-stor]\nx = 1', 'app.toml: [state-stor]: unknown key; did you mean [state-store]?'],
    [
      'evm-ss-split = true',
      'app.toml: evm-ss-split = true: unknown key; did you mean state-store.evm-ss-split?',
    ],
    [
      '[node]\nmode = "validator"\n[state-store]\nevm-ss-split = true',
      'app.toml: state-store.evm-ss-split = true: not supported on a node of mode "validator"; write false, or run the split on an RPC node (node.mode = "rpc")',
    ],
    [
      '[evm]\nsimulation_gas_limit = 9007199254740993',
      'app.toml: evm.simulation_gas_limit = "9007199254740993": not a whole number within 2^53; write a number, 21000 or more',
    ],
    [
      '[evm]\nfilter_timeout = 5',
      'app.toml: evm.filter_timeout = 5: not a time; write a time such as "30s" or "1m30s", at least 1s',
    ],
  ])('refuses %j in one line', async (text, line) => {
    expect(await refusal(text)).toEqual([line]);
  });

  it('allows the split on an archive only in a development home', async () => {
    await write('[node]\nmode = "archive"\ndevelopment = true\n[state-store]\nevm-ss-split = true', '');
    expect((await loadConfig({ home })).app['state-store']['evm-ss-split']).toBe(true);
  });

  it('tells of every wrong key at once, and where the syntax is wrong', async () => {
    expect(await refusal('a = 1\n[evm]\nhttp_port = 70000')).toHaveLength(2);
    // 2^64 + 8545, which the parser alone would read as 8545.
    expect(await refusal('[evm]\nhttp_port = 18446744073709560161')).toEqual([
      'app.toml: http_port = 18446744073709560161: too large a number; write one below 2^53',
    ]);
    expect(await refusal('[evm]\nhttp_port = = 1')).toEqual([
      expect.stringMatching(/^app.toml: line 2, column \d+ /),
    ]);
  });

  it('accepts keys of the reference that mean nothing here, with a warning each', async () => {
    await write(
      'pruning-interval = 10\n[rosetta]\nenable = true\n[state-commit]\nsc-write-mode = "memiavl_only"',
      '',
    );
    expect((await loadConfig({ home })).warnings).toEqual([
      'app.toml: pruning-interval has no effect in this program',
      'app.toml: [rosetta] has no effect in this program',
      'app.toml: state-commit.sc-write-mode has no effect in this program',
    ]);
  });

  it('warns of unknown legacy methods and goes on; an empty list blocks all', async () => {
    await write('[evm]\nenabled_legacy_chain_apis = ["chain_getLegerTx"]', '');
    const { warnings } = await loadConfig({ home });
    expect(warnings).toEqual([
      'app.toml: evm.enabled_legacy_chain_apis: "chain_getLegerTx" is no legacy method; did you mean chain_getLedgerTx?',
    ]);
    await write('[evm]\nenabled_legacy_chain_apis = []', '');
    expect((await loadConfig({ home })).app.evm.enabled_legacy_chain_apis).toEqual([]);
    expect(LEGACY_METHODS).toHaveLength(36);
  });

  it('gives way to the environment, and that to flags', async () => {
    await write('[evm]\nhttp_port = 1', '');
    const environment = {
      CHAIND_EVM_HTTP_PORT: '2',
      CHAIND_STATE_STORE_SS_KEEP_RECENT: '5',
      CHAIND_EVM_DENY_LIST: 'eth_call, eth_getLogs',
      CHAIND_SERVICE_HOST: '10.0.0.1',
      OTHER: '1',
    };
    const flags = { 'evm.http_port': '3' };
    const { app, warnings } = await loadConfig({ home, environment, flags });
    expect(app.evm.http_port).toBe(3);
    expect(app['state-store']['ss-keep-recent']).toBe(5);
    expect(app.evm.deny_list).toEqual(['eth_call', 'eth_getLogs']);
    expect(warnings).toEqual([expect.stringContaining('CHAIND_SERVICE_HOST names no setting')]);
    await expect(loadConfig({ home, environment: { CHAIND_EVM_HTTP_PORT: 'x' } })).rejects.toThrow(
      'environment CHAIND_EVM_HTTP_PORT: evm.http_port = "x": not a whole number',
    );
    await expect(loadConfig({ home, flags: { 'evm.http_prt': '1' } })).rejects.toThrow(
      'did you mean evm.http_port?',
    );
  });
});

describe('a written file', () => {
  it('reads back as the defaults of its role, without warnings', async () => {
    for (const mode of ['rpc', 'validator', 'archive', 'seed'] as const) {
      await write(`[node]\nmode = "${mode}"`, '');
      const absent = await loadConfig({ home });
      await write(appToml(mode), configToml());
      const written = await loadConfig({ home });
      expect(written).toEqual(absent);
    }
  });

  it('keeps any value a setting can have', () => {
    const roundTrip = (table: SettingTable) => {
      for (const [section, key, setting] of eachSetting(table)) {
        const name = settingName(section, key);
        fc.assert(
          fc.property(anyValue(setting.type), (raw) => {
            const value = setting.parse(raw);
            if (value instanceof Refusal) return;
            const parsed = parseToml(name, `k = ${setting.format(value)}`).k;
            expect(setting.parse(parsed)).toEqual(value);
          }),
          { numRuns: 20 },
        );
      }
    };
    roundTrip(APP_TABLE);
    roundTrip(COMET_TABLE);
  });
});

function anyValue(type: string): fc.Arbitrary<unknown> {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((it) => it.isWellFormed());
  switch (type) {
    case 'bool':
      return fc.boolean();
    case 'integer':
      return fc.maxSafeInteger();
    case 'duration':
      return fc.nat().map(formatDuration);
    case 'array of strings':
      return fc.array(text, { maxLength: 4 });
    default:
      return text;
  }
}

describe('durations', () => {
  it('are those of Go', () => {
    expect(['0', '1h30m', '1.5s', '300ms', '2m0s', '10'].map(parseDuration)).toEqual([
      0,
      5_400_000,
      1500,
      300,
      120_000,
      undefined,
    ]);
    fc.assert(
      fc.property(fc.nat(), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('docs/reference/config.md', () => {
  it('is what the tables say; run "node scripts/gen.ts" after a change', async () => {
    const page = await readFile(new URL('../../../docs/reference/config.md', import.meta.url), 'utf8');
    expect(page).toBe(configReference());
  });
});
