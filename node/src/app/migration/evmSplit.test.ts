import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/index.ts';
import { readSignState } from '../../keys/index.ts';
import { refuseDuringMigration } from '../../migrate/index.ts';
import { lockDirectory } from '../../state/changelog/index.ts';
import { openNode } from '../openNode.ts';
import {
  bytesOf,
  codeOf,
  createMigrationHomes,
  edit,
  lostFrom,
  type MigrationHomes,
  SIGNED,
  stepsBefore,
} from './migrationHomes.fixture.ts';

let homes: MigrationHomes;
beforeAll(async () => {
  homes = await createMigrationHomes();
});
afterAll(() => homes.close());

describe('the steps', () => {
  it('turn a home into one that state syncs into the split layout, and keep what makes it itself', async () => {
    const home = homes.fresh();
    edit(home, 'app', { 'evm.http_port': 18_545 });
    edit(home, 'config', {
      'p2p.persistent_peers': `${'dd'.repeat(20)}@10.0.0.1:26656`,
      'rpc.laddr': 'tcp://127.0.0.1:36657',
    });
    const { steps, migration } = homes.open(home, { backend: 'rocksdb' });
    await steps(...stepsBefore('start'));
    for (const file of [
      CONFIG_FILES.validatorKey,
      CONFIG_FILES.genesis,
      CONFIG_FILES.nodeKey,
      CONFIG_FILES.validatorState,
    ]) {
      expect(bytesOf(home, file)).toBe(bytesOf(homes.pattern, file));
    }
    const { app, comet } = await loadConfig({ home });
    expect(app).toMatchObject({
      'state-store': { 'evm-ss-split': true, 'ss-backend': 'rocksdb' },
      evm: { http_port: 18_545 },
    });
    expect(comet.rpc.laddr).toBe('tcp://127.0.0.1:36657');
    expect(comet.base.moniker).toBe('mover');
    expect(comet.statesync).toMatchObject({
      enable: true,
      rpc_servers: homes.rpcs.map(({ url }) => url).join(','),
      trust_height: 15_000,
      temp_dir: join(home, 'run/statesync'),
    });
    const peers = comet.p2p.persistent_peers.split(',');
    expect(peers).toContain(`${'dd'.repeat(20)}@10.0.0.1:26656`);
    expect(peers).toContain(`${'ee'.repeat(20)}@10.0.0.9:26656`);
    expect(peers).toHaveLength(4);
    expect(readdirSync(join(home, 'data'))).toEqual(['priv_validator_state.json']);
    expect(existsSync(join(home, 'wasm'))).toBe(false);
    expect((await migration.status())?.steps.seal?.state).toBe('done');
    expect(await codeOf(steps('start'))).toBe('MIGRATE_START');
  });

  it('can each be run again, and go back to one when it is', async () => {
    const home = homes.fresh();
    const { steps, migration } = homes.open(home);
    for (const step of stepsBefore('start')) await steps(step, step);
    await steps('configure');
    expect(Object.keys((await migration.status())!.steps)).not.toContain('restore');
    expect(await codeOf(steps('seal'))).toBe('MIGRATE_ORDER');
    await steps('restore', 'seal');
    expect(await lostFrom(home, homes.pattern)).toEqual([]);
  });

  it('refuse to work on a home that somebody has open, or out of order', async () => {
    const home = homes.fresh();
    const { steps } = homes.open(home);
    expect(await codeOf(steps('backup'))).toBe('MIGRATE_NONE');
    await steps('preflight', 'stop');
    expect(await codeOf(steps('wipe'))).toBe('MIGRATE_ORDER');
    const lock = lockDirectory(join(home, 'data/changelog'));
    expect(await codeOf(steps('backup'))).toBe('MIGRATE_RUNNING');
    lock.release();
    await steps('backup');
    const rival = lockDirectory(join(home, 'migration'));
    expect(await codeOf(steps('wipe'))).toBe('DIRECTORY_LOCKED');
    rival.release();
  });

  it('delete nothing without a backup that is whole', async () => {
    const home = homes.fresh();
    const { steps, migration } = homes.open(home);
    await steps('preflight', 'stop', 'backup');
    const { directory } = (await migration.status())!.backup!;
    writeFileSync(join(directory, CONFIG_FILES.validatorKey), '{}');
    expect(await codeOf(steps('wipe'))).toBe('MIGRATE_BACKUP');
    expect(existsSync(join(home, 'data/pebbledb/CURRENT'))).toBe(true);
    expect(existsSync(join(home, CONFIG_FILES.validatorKey))).toBe(true);
  });

  it('never set the last-sign state back', async () => {
    const home = homes.fresh();
    const { steps } = homes.open(home);
    await steps('preflight', 'stop', 'backup');
    const later = { ...SIGNED, height: '900' };
    writeFileSync(join(home, CONFIG_FILES.validatorState), JSON.stringify(later));
    await steps('wipe', 'init', 'configure', 'restore', 'seal');
    expect(JSON.parse(bytesOf(home, CONFIG_FILES.validatorState))).toEqual(later);
    writeFileSync(join(home, CONFIG_FILES.validatorState), JSON.stringify({ ...SIGNED, height: '901' }));
    await steps('restore', 'seal');
    expect((await readSignState(join(home, CONFIG_FILES.validatorState))).height).toBe(901);
  });

  it('keep a node from starting, and writing anything, between the wipe and the seal', async () => {
    const home = homes.fresh();
    const { steps } = homes.open(home);
    await steps('preflight', 'stop', 'backup');
    await refuseDuringMigration(home);
    await steps('wipe');
    expect(await codeOf(refuseDuringMigration(home))).toBe('MIGRATE_RUNNING');
    for (const step of ['init', 'configure', 'restore'] as const) {
      await steps(step);
      const config = await loadConfig({ home });
      const onFatal = () => undefined;
      const start = openNode({ config, blockTimeMs: 400 }, { logger: silentLogger, onFatal });
      expect(await codeOf(start)).toBe('MIGRATE_RUNNING');
    }
    await steps('seal');
    await refuseDuringMigration(home);
  });
});

describe('the wipe', () => {
  it('takes the directories that the settings name, and removes links without following them', async () => {
    const home = homes.fresh();
    const [outside, linked] = [
      join(homes.root, `evm-${randomUUID()}`),
      join(homes.root, `linked-${randomUUID()}`),
    ];
    for (const directory of [outside, linked]) mkdirSync(directory);
    writeFileSync(join(outside, 'CURRENT'), 'x');
    writeFileSync(join(linked, 'precious'), 'x');
    symlinkSync(linked, join(home, 'data/aside'));
    mkdirSync(join(home, 'cache/evm'), { recursive: true });
    writeFileSync(join(home, 'cache/evm/translation'), 'x');
    edit(home, 'app', { 'state-store.evm-ss-db-directory': outside });
    await homes.open(home).steps('preflight', 'stop', 'backup', 'wipe');
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(linked)).toEqual(['precious']);
    expect(existsSync(join(home, 'data/aside'))).toBe(false);
    expect(existsSync(join(home, 'cache'))).toBe(false);
    expect(existsSync(join(home, CONFIG_FILES.appToml))).toBe(true);
    expect(existsSync(join(home, CONFIG_FILES.nodeKey))).toBe(true);
  });

  it.each([
    [
      'data is a link',
      (home: string) => {
        cpSync(join(home, 'data'), join(homes.root, `moved-${randomUUID()}`), { recursive: true });
        rmSync(join(home, 'data'), { recursive: true });
        symlinkSync(join(homes.root, `moved-${randomUUID()}`), join(home, 'data'));
      },
    ],
    [
      'a store directory holds something else',
      (home: string) => {
        const path = join(homes.root, `mixed-${randomUUID()}`);
        mkdirSync(path);
        writeFileSync(join(path, 'Thesis.doc'), 'x');
        edit(home, 'app', { 'state-store.evm-ss-db-directory': path });
      },
    ],
    [
      'a store directory holds the home',
      (home: string) => {
        edit(home, 'app', { 'state-store.evm-ss-db-directory': join(home, '..') });
      },
    ],
    [
      'a store directory is relative',
      (home: string) => {
        edit(home, 'app', { 'state-store.evm-ss-db-directory': 'evm' });
      },
    ],
  ])('is refused before anything begins where %s', async (_what, change) => {
    const home = homes.fresh();
    change(home);
    const { steps, checks } = homes.open(home);
    expect(await codeOf(steps('preflight'))).toBe('MIGRATE_PREFLIGHT');
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toContain('wipe');
  });
});

describe('a migration that is given up', () => {
  it('leaves a home as it was before anything is deleted', async () => {
    const home = homes.fresh();
    const { steps, migration } = homes.open(home);
    await steps('preflight', 'stop', 'backup');
    expect(await migration.abort()).toContain('nothing was changed');
    expect(bytesOf(home, CONFIG_FILES.configToml)).toBe(bytesOf(homes.pattern, CONFIG_FILES.configToml));
    await steps('preflight');
    expect((await migration.status())?.outcome).toBe('running');
  });

  it('starts the node again that its command has stopped', async () => {
    const home = homes.fresh();
    const [stopped, started] = [join(home, 'stopped'), join(home, 'started')];
    const commands = { stopCommand: `touch ${stopped}`, startCommand: `touch ${started}` };
    const { steps, migration } = homes.open(home, commands);
    await steps('preflight');
    await migration.abort();
    expect([stopped, started].map((file) => existsSync(file))).toEqual([false, false]);
    await steps('preflight', 'stop', 'backup', 'wipe');
    expect(await migration.abort()).toContain(`"touch ${started}" starts the node again`);
    expect([stopped, started].map((file) => existsSync(file))).toEqual([true, true]);
  });

  it.each(['wipe', 'init', 'configure', 'restore', 'seal'] as const)(
    'puts keys and settings back after "%s"',
    async (last) => {
      const home = homes.fresh();
      const { steps, migration } = homes.open(home);
      await steps(...stepsBefore(last), last);
      await migration.abort();
      expect(await lostFrom(home, homes.pattern)).toEqual([]);
      const { app, comet } = await loadConfig({ home });
      expect(app['state-store']['evm-ss-split']).toBe(false);
      expect(comet.statesync.enable).toBe(true);
      expect(bytesOf(home, CONFIG_FILES.validatorKey)).toBe(
        bytesOf(homes.pattern, CONFIG_FILES.validatorKey),
      );
      await refuseDuringMigration(home);
    },
  );
});
