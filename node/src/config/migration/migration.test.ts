import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appToml, configToml } from '../configFiles.ts';
import { loadConfig } from '../loadConfig.ts';
import { planMigration, writeMigration } from './migrateConfig.ts';
import { migrateToml } from './migrateToml.ts';

const OLD_FILE = `# my node
minimum-gas-prices = "0.01usei" # keep

[state-commit]
sc-enable = true
# how the tree is written
sc-write-mode = "dual_write"
sc-read-mode = "cosmos_only"
sc-snapshot-interval = 5000

[state-store]
ss-enable = true
ss-backend = "pebble" # typo of years ago
ss-async-write-buffer = -1
ss-import-num-workers = 0
evm-ss-write-mode = "split_write" # since spring
evm-ss-read-mode = "evm_first"

[evm]
http-port = 18545
enabled_legacy_sei_apis = [
  "sei_getSeiAddress", # used by the explorer
  "sei_getCosmosTx",
  "sei2_getBlockByHash",
]
`;

const NEW_FILE = `# my node
minimum-gas-prices = "0.01usei" # keep

[state-commit]
sc-enable = true
# how the tree is written
# sc-write-mode = "dual_write"
sc-flatkv = "shadow"
# sc-read-mode = "cosmos_only"
sc-snapshot-interval = 5000

[state-store]
ss-enable = true
ss-backend = "pebbledb" # typo of years ago
ss-async-write-buffer = 0
ss-import-num-workers = 1
# evm-ss-write-mode = "split_write" # since spring
evm-ss-split = true
# evm-ss-read-mode = "evm_first"

[evm]
http_port = 18545
# enabled_legacy_sei_apis = [
#   "sei_getSeiAddress", # used by the explorer
#   "sei_getCosmosTx",
#   "sei2_getBlockByHash",
# ]
enabled_legacy_chain_apis = [
  "chain_getChainAddress",
  "chain_getLedgerTx",
  "chain2_getBlockByHash",
]
`;

describe('an app.toml of an older release', () => {
  it('gets its new keys, and keeps comments, order and all else', () => {
    const { text, changes } = migrateToml(OLD_FILE);
    expect(text).toBe(NEW_FILE);
    expect(changes[0]).toEqual({
      line: 7,
      section: 'state-commit',
      before: ['sc-write-mode = "dual_write"'],
      after: ['# sc-write-mode = "dual_write"', 'sc-flatkv = "shadow"'],
      why: expect.any(String),
    });
  });

  it('is migrated once: what came out stays', () => {
    expect(migrateToml(NEW_FILE)).toEqual({ text: NEW_FILE, changes: [] });
    expect(migrateToml(appToml('archive')).changes).toEqual([]);
  });

  it.each([
    ['cosmos_only', false],
    ['dual_write', false],
    ['split_write', true],
    ['evm_only', true],
  ])('splits the EVM store where evm-ss-write-mode = "%s" had it alone: %s', (mode, split) => {
    const { text } = migrateToml(`[state-store]\nevm-ss-write-mode = "${mode}"\n`);
    expect(text).toContain(`\nevm-ss-split = ${split}\n`);
  });

  it('keeps evm-ss-split where the file has it already', () => {
    const old = '[state-store]\nevm-ss-split = false\nevm-ss-write-mode = "split_write"\n';
    expect(migrateToml(old).text).toBe(
      '[state-store]\nevm-ss-split = false\n# evm-ss-write-mode = "split_write"\n',
    );
  });

  it('is refused where a key cannot be changed line by line', () => {
    expect(() => migrateToml('state-store.evm-ss-write-mode = "split_write"\n')).toThrow(
      expect.objectContaining({ code: 'CONFIG_MIGRATION', message: expect.stringContaining('by hand') }),
    );
    expect(() => migrateToml('[state-store]\na = """\nevm-ss-read-mode = 1\n"""\n')).not.toThrow();
  });

  it('means the same afterwards, whatever its comments and spaces', () => {
    const blank = fc.constantFrom('', ' ', '\t', '  ');
    const comment = fc.constantFrom('', ' # evm-ss-read-mode = "x"', '#"', " # it's", ' # a = [');
    const line = fc.constantFrom(
      'evm-ss-write-mode = "a # b"',
      "evm-ss-read-mode = 'x'",
      'ss-async-write-buffer = -5',
      'ss-backend = "rock # db"',
      'ss-keep-recent = 7',
      'free = """\n[evm]\nhttp-port = 1\n"""',
    );
    const statement = fc
      .tuple(blank, line, comment)
      .map(([before, text, behind]) => `${before}${text}${behind}`);
    const lines = fc.uniqueArray(statement, { selector: (text) => text.trim().split(' ')[0]! });
    fc.assert(
      fc.property(lines, comment, (statements, header) => {
        const once = migrateToml(`[state-store]${header}\n${statements.join('\n')}\n`);
        expect(migrateToml(once.text).changes).toEqual([]);
      }),
    );
  });
});

describe('chaind config migrate', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'migrate-'));
    await mkdir(join(home, 'config'));
    await writeFile(join(home, 'config/app.toml'), OLD_FILE);
    await writeFile(join(home, 'config/config.toml'), '[p2p]\npersistent-peers = "a@b:1" # keep\n');
  });
  afterEach(() => rm(home, { recursive: true }));

  it('makes files that load, keeps the old ones, and has nothing to do the second time', async () => {
    await expect(loadConfig({ home })).rejects.toThrow('or run "chaind config migrate"');
    const backups = await writeMigration(await planMigration(home));
    expect(backups).toEqual(['app.toml.bak', 'config.toml.bak'].map((name) => join(home, 'config', name)));
    expect(await readFile(backups[0]!, 'utf8')).toBe(OLD_FILE);
    const { app, comet } = await loadConfig({ home });
    expect(app['state-store']).toMatchObject({ 'evm-ss-split': true, 'ss-backend': 'pebbledb' });
    expect(app.evm.http_port).toBe(18_545);
    expect(comet.p2p.persistent_peers).toBe('a@b:1');
    expect(await planMigration(home)).toEqual([]);
  });

  it('never replaces a backup, and leaves a file of this release alone', async () => {
    await writeFile(join(home, 'config/app.toml.bak'), 'mine');
    await writeFile(join(home, 'config/config.toml'), configToml());
    const backups = await writeMigration(await planMigration(home));
    expect(backups).toEqual([join(home, 'config/app.toml.bak2')]);
    expect(await readFile(join(home, 'config/app.toml.bak'), 'utf8')).toBe('mine');
    expect(await readdir(join(home, 'config'))).not.toContain('config.toml.bak');
  });
});
