import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxKeys, openSealed } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../config/index.ts';
import {
  jobResult,
  type PreflightWish,
  refuseDuringMigration,
  runAsJob,
  sealKeys,
} from '../../migrate/index.ts';
import {
  codeOf,
  createMigrationHomes,
  edit,
  journalOf,
  lostFrom,
  type MigrationHomes,
} from './migrationHomes.fixture.ts';

let homes: MigrationHomes;
beforeAll(async () => {
  homes = await createMigrationHomes();
});
afterAll(() => homes.close());

const ID = 'evmsplit-0a1b2c';
const APPLY = ['stop', 'backup', 'wipe', 'init', 'configure', 'restore', 'seal'] as const;
const open = (home: string, over: Partial<PreflightWish> = {}, approvedBackup?: string) =>
  homes.open(home, { id: ID, hold: true, ...over }, approvedBackup).migration;

it('steps under one id are done as often as a program asks for them, and keys are never gone', async () => {
  const home = homes.fresh();
  const digestOf = () => journalOf(home)!.backup!.digest;
  for (let i = 0; i < 2; i++) await runAsJob(open(home), { id: ID, steps: ['preflight'] });
  for (let i = 0; i < 2; i++) await runAsJob(open(home), { id: ID, steps: ['stop', 'backup'] });
  for (let i = 0; i < 2; i++) {
    await runAsJob(open(home, { rotate: i }, digestOf()), { id: ID, steps: APPLY });
    expect(await lostFrom(home, homes.pattern)).toEqual([]);
  }
  expect(journalOf(home)).toMatchObject({ id: ID, outcome: 'running', digests: [digestOf()] });
  expect((await loadConfig({ home })).app['state-store']['evm-ss-split']).toBe(true);
});

it('nothing is deleted when the backup is not the one that was approved', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['preflight', 'stop', 'backup'] });
  const wrong = runAsJob(open(home, {}, 'ab'.repeat(32)), { id: ID, steps: ['wipe'] });
  expect(await codeOf(wrong)).toBe('MIGRATE_BACKUP');
  expect(existsSync(join(home, 'data/pebbledb/CURRENT'))).toBe(true);
});

it('a backup that took up a later signature is as good as the one that was approved', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['preflight', 'stop', 'backup'] });
  const { digest } = journalOf(home)!.backup!;
  const later = { height: '900', round: 1, step: 3, signature: 'c2ln', signbytes: 'AABB' };
  writeFileSync(join(home, CONFIG_FILES.validatorState), JSON.stringify(later));
  await runAsJob(open(home, {}, digest), { id: ID, steps: APPLY });
  expect(journalOf(home)!.digests).toHaveLength(2);
});

it('a node that is held does not start until the home is sealed, or the migration given up', async () => {
  const [sealed, given] = [homes.fresh(), homes.fresh()];
  for (const home of [sealed, given]) {
    await runAsJob(open(home), { id: ID, steps: ['preflight', 'stop', 'backup'] });
    expect(await codeOf(refuseDuringMigration(home))).toBe('MIGRATE_RUNNING');
  }
  await runAsJob(open(sealed), { id: ID, steps: APPLY });
  await refuseDuringMigration(sealed);
  for (let i = 0; i < 2; i++) await runAsJob(open(given), { id: ID, steps: ['abort'] });
  await refuseDuringMigration(given);
  expect(existsSync(join(given, 'data/pebbledb/CURRENT'))).toBe(true);
});

it('to abort what never began, or was another migration, is no failure; any other step is', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['abort'] });
  expect(await codeOf(runAsJob(open(home), { id: ID, steps: ['backup'] }))).toBe('MIGRATE_NONE');
});

it('another migration begins where one was sealed and never verified, and nowhere else', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['preflight', ...APPLY.slice(0, 3)] });
  const next = { id: 'evmsplit-ffffff', resync: true };
  const begin = () => runAsJob(open(home, next), { id: next.id, steps: ['preflight'] });
  expect(await codeOf(begin())).toMatch(/^(MIGRATE_ORDER|MIGRATE_PREFLIGHT)$/);
  await runAsJob(open(home), { id: ID, steps: APPLY });
  await begin();
  expect(journalOf(home)!.id).toBe(next.id);
});

it('back into one store goes the same way', async () => {
  const home = homes.fresh();
  edit(home, 'app', { 'state-store.evm-ss-split': true });
  const back = { into: 'single' as const };
  await runAsJob(open(home, back), { id: ID, steps: ['preflight', ...APPLY] });
  expect((await loadConfig({ home })).app['state-store']['evm-ss-split']).toBe(false);
  expect(await codeOf(runAsJob(open(homes.fresh(), back), { id: ID, steps: ['preflight'] }))).toBe(
    'MIGRATE_PREFLIGHT',
  );
});

it('what a program reads fits into a termination message, however long the story', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['preflight', 'stop', 'backup'] });
  const journal = journalOf(home)!;
  const checks = Array.from({ length: 40 }, () => ({ name: 'n', ok: true, detail: 'x'.repeat(900) }));
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`config/${i}`, 'ab'.repeat(32)]));
  const text = jobResult(journal, files, { checks, home });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  expect(JSON.parse(text)).toMatchObject({
    id: ID,
    backup: { path: `migration/${ID}/backup-1`, manifestSha256: journal.backup!.digest },
    trust: { height: journal.trust.height },
  });
  rmSync(home, { recursive: true });
});

it('keys of the backup go to the holder of one key, and fit beside the rest', async () => {
  const home = homes.fresh();
  await runAsJob(open(home), { id: ID, steps: ['preflight', 'stop', 'backup'] });
  const journal = journalOf(home)!;
  const { publicKey, privateKey } = boxKeys(Buffer.from('secret'), ID);
  const sealedKeys = await sealKeys(journal.backup!, publicKey);
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`config/${i}`, 'ab'.repeat(32)]));
  const text = jobResult(journal, files, { home, sealedKeys });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
  const sealed = Buffer.from((JSON.parse(text) as { sealedKeys: string }).sealedKeys, 'base64');
  const opened = JSON.parse(Buffer.from(openSealed(privateKey, sealed)).toString('utf8'));
  for (const path of [
    'config/priv_validator_key.json',
    'config/node_key.json',
    'data/priv_validator_state.json',
  ]) {
    expect(opened[path]).toBe(readFileSync(join(home, path), 'utf8'));
  }
});

it('a home keeps its newest whole backups, and deletes no other thing', async () => {
  const home = homes.fresh();
  const ids = Array.from({ length: 5 }, (_, index) => `evmsplit-00000${index}`);
  const kept = () => ids.filter((id) => existsSync(join(home, 'migration', id, 'backup-1')));
  const migrate = async (id: string, keepBackups?: number) => {
    const wish = { id, resync: true, ...(keepBackups !== undefined && { keepBackups }) };
    await runAsJob(open(home, wish), { id, steps: ['preflight', 'stop', 'backup'] });
    await runAsJob(open(home, wish), { id, steps: APPLY });
    expect(await lostFrom(home, homes.pattern)).toEqual([]);
  };
  for (const id of ids.slice(0, 4)) await migrate(id);
  expect(kept()).toEqual(ids.slice(1, 4));
  expect(journalOf(home)?.steps.seal?.detail).toContain(`${ids[0]}/backup-1`);
  // One that is not whole may be all that somebody has; a draft is what a deletion left that was cut short.
  const damaged = join(home, 'migration', ids[2]!, 'backup-1/manifest.json');
  writeFileSync(damaged, '{}');
  const draft = join(home, 'migration', ids[0]!, 'backup-1.tmp');
  cpSync(join(home, 'migration', ids[1]!, 'backup-1'), draft, { recursive: true });
  await migrate(ids[4]!, 1);
  expect(kept()).toEqual([ids[2], ids[4]]);
  expect(existsSync(draft)).toBe(false);
});
