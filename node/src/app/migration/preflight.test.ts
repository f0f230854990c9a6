import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNodeKey, readValidatorKey } from '../../keys/index.ts';
import type { PreflightWish } from '../../migrate/index.ts';
import { codeOf, createMigrationHomes, edit, type MigrationHomes } from './migrationHomes.fixture.ts';
import { openTrustedRpc, type TrustedRpcState } from './trustedRpc.fixture.ts';

let homes: MigrationHomes;
beforeAll(async () => {
  homes = await createMigrationHomes();
});
afterAll(() => homes.close());

describe('the preflight', () => {
  it.each<[string, string, (home: string) => void | Partial<PreflightWish> | Promise<void>]>([
    ['role', 'a validator by its settings', (home) => edit(home, 'app', { 'node.mode': 'validator' })],
    ['role', 'an archive by its settings', (home) => edit(home, 'app', { 'state-store.ss-keep-recent': 0 })],
    ['role', 'a remote signer', (home) => edit(home, 'config', { priv_validator_laddr: 'tcp://1.2.3.4:1' })],
    ['engine', 'the embedded engine', (home) => edit(home, 'app', { 'node.engine': 'embedded' })],
    ['layout', 'a home that is split', (home) => edit(home, 'app', { 'state-store.evm-ss-split': true })],
    ['identity', 'a damaged key', (home) => writeFileSync(join(home, CONFIG_FILES.validatorKey), '{}')],
    ['identity', 'a genesis elsewhere', (home) => edit(home, 'config', { genesis_file: 'genesis.json' })],
    [
      'settings',
      'old keys',
      (home) => {
        const path = join(home, CONFIG_FILES.appToml);
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace(
            '[state-store]',
            '[state-store]\nevm-ss-write-mode = "dual_write"',
          ),
        );
      },
    ],
    [
      'settings',
      'SS switched off',
      (home) => {
        const path = join(home, CONFIG_FILES.appToml);
        writeFileSync(path, readFileSync(path, 'utf8').replace('ss-enable = true', 'ss-enable = false'));
      },
    ],
    ['trusted RPCs', 'one server', () => ({ trustedRpcs: [homes.rpcs[0]!.url] })],
    ['trusted RPCs', 'one server twice', () => ({ trustedRpcs: [homes.rpcs[0]!.url, homes.rpcs[0]!.url] })],
    ['trusted RPCs', 'no server there', () => ({ trustedRpcs: ['http://127.0.0.1:1', homes.rpcs[0]!.url] })],
    ['trusted RPCs', 'what is no URL', () => ({ trustedRpcs: ['rpc.example', homes.rpcs[0]!.url] })],
  ])('refuses, in check "%s", %s', async (name, _what, change) => {
    const home = homes.fresh();
    const over = (await change(home)) ?? {};
    const { steps, checks } = homes.open(home, over);
    expect(await codeOf(steps('preflight'))).toBe('MIGRATE_PREFLIGHT');
    expect(checks.filter(({ ok }) => !ok)[0]?.name).toBe(name);
    expect(existsSync(join(home, 'migration/journal.json'))).toBe(false);
  });

  it.each<[string, string, () => Promise<Partial<TrustedRpcState>>]>([
    ['trusted RPCs', 'of another chain', async () => ({ network: 'other-1' })],
    ['trusted RPCs', 'whose newest block is old', async () => ({ ageMs: 90_000 })],
    [
      'trusted RPCs',
      'that is this node',
      async () => ({ nodeId: (await readNodeKey(join(homes.pattern, CONFIG_FILES.nodeKey))).id }),
    ],
    ['trust height', 'that says another hash', async () => ({ salt: 'fork' })],
    ['trust height', 'whose trusted header is too old', async () => ({ latest: 900_000, earliest: 1 })],
    [
      'validator set',
      'that counts this key among the validators',
      async () => ({
        validators: [
          Buffer.from((await readValidatorKey(join(homes.pattern, CONFIG_FILES.validatorKey))).address)
            .toString('hex')
            .toUpperCase(),
        ],
      }),
    ],
  ])('refuses, in check "%s", a server %s', async (name, _what, state) => {
    const over = await state();
    const other = await openTrustedRpc(over);
    const latest = over.latest === undefined ? homes.rpcs[0]! : await openTrustedRpc(over);
    const home = homes.fresh();
    const wish = { trustedRpcs: [latest.url, other.url], ...(over.latest && { delta: 800_000 }) };
    const { steps, checks } = homes.open(home, wish);
    expect(await codeOf(steps('preflight'))).toBe('MIGRATE_PREFLIGHT');
    expect(checks.filter(({ ok }) => !ok)[0]?.name).toBe(name);
    other.close();
    if (latest !== homes.rpcs[0]) latest.close();
  });

  it('takes a trusted height that every server of a young chain has', async () => {
    const young = [
      await openTrustedRpc({ latest: 300, earliest: 1 }),
      await openTrustedRpc({ latest: 310, earliest: 120 }),
    ];
    const { steps, migration } = homes.open(homes.fresh(), { trustedRpcs: young.map(({ url }) => url) });
    await steps('preflight');
    expect((await migration.status())?.trust.height).toBe(120);
    for (const rpc of young) rpc.close();
  });

  it('takes one server when told to, and asks who has snapshots', async () => {
    const bare = await openTrustedRpc({ snapshots: [] });
    const single = { trustedRpcs: [bare.url], allowSingleRpc: true };
    expect(await codeOf(homes.open(homes.fresh(), single).steps('preflight'))).toBe('MIGRATE_PREFLIGHT');
    await homes.open(homes.fresh(), { ...single, assumeSnapshots: true }).steps('preflight');
    bare.close();
  });
});
