import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BANK_ROWS,
  compressed,
  described,
  EVM_ROWS,
  type FlatSection,
  hexOf,
  itemsOf,
  latin1,
  type MadeSnapshot,
  offer,
  type Row,
  restoreAll,
  SnapshotHomes,
  storesIn,
  targetOf,
  withRestored,
} from '../snapshot.fixture.ts';
import { refuseInterruptedRestore } from './restoreJournal.ts';

const homes = new SnapshotHomes();
afterAll(() => homes.remove());

const HEADER = `\0${'\0'.repeat(7)}\x02`;
const physical = (key: string, payload: string): Row => ({
  key: latin1(key),
  value: latin1(`${HEADER}${payload}`),
});
const [a, b] = ['a'.repeat(20), 'b'.repeat(20)];
const ZERO_BALANCE = '\0'.repeat(32);
/** EVM_ROWS as FlatKV has them, keys ascending. */
const FLATKV: FlatSection = {
  name: 'flatkv',
  rows: [
    physical('bank/balance-9999', 'other module'),
    physical(`evm/\x01${a}`, 'association'),
    physical(`evm/\x03${a}${'s'.repeat(32)}`, 'w'.repeat(32)),
    physical(`evm/\x07${a}`, 'code'.repeat(5_000)),
    physical(`evm/\x09${a}`, 'size'),
    physical(`evm/\x0a${a}`, `${ZERO_BALANCE}\0\0\0\0\0\0\0\x07${'h'.repeat(32)}`),
    physical(`evm/\x0a${b}`, `${ZERO_BALANCE}\0\0\0\0\0\0\0\x01`),
    physical('evm/\x0bempty', ''),
  ],
};
const LEGACY: FlatSection = { name: 'evm_flatkv', rows: EVM_ROWS };

interface Stream {
  readonly evmInTrees: boolean;
  readonly flat: readonly FlatSection[];
}
const streams: Record<string, Stream> = {
  evm: { evmInTrees: true, flat: [] },
  evm_flatkv: { evmInTrees: false, flat: [LEGACY] },
  'evm and evm_flatkv': { evmInTrees: true, flat: [LEGACY] },
  flatkv: { evmInTrees: true, flat: [FLATKV] },
};
const layoutsOf = (kind: string) => [
  ['unsplit', { split: false, separateDbs: false }] as const,
  ['split', { split: true, separateDbs: false }] as const,
  ...(kind === 'flatkv'
    ? [['split into separate databases', { split: true, separateDbs: true }] as const]
    : []),
];

function make({ evmInTrees, flat }: Stream): Promise<MadeSnapshot & { appHash: Uint8Array }> {
  const stores = { bank: BANK_ROWS, ...(evmInTrees && { evm: EVM_ROWS }) };
  return homes.withState(stores, async (_commit, frozen) => {
    const stream = await compressed(itemsOf(frozen, flat));
    return { ...described(2, stream, 4_000), appHash: frozen.appHash };
  });
}

for (const [kind, stream] of Object.entries(streams)) {
  describe(`a stream with ${kind}`, () => {
    it.each(layoutsOf(kind))(
      'is restored %s: every row in its store, none in another',
      async (_name, layout) => {
        const made = await make(stream);
        const target = targetOf(homes.fresh(), layout);
        await restoreAll(made, target, made.appHash);
        await withRestored(target, async ({ commit, store, block }) => {
          expect([commit.version, store.latestVersion, store.earliestVersion]).toEqual([2, 2, 2]);
          expect(hexOf(commit.appHash)).toBe(hexOf(made.appHash));
          for (const { key, value } of EVM_ROWS) {
            expect(hexOf(store.get('evm', key, 2)!)).toBe(hexOf(value));
            expect(store.get('evm', key, 1)).toBeUndefined();
          }
          for (const { key, value } of BANK_ROWS)
            expect(hexOf(store.get('bank', key, 2)!)).toBe(hexOf(value));
          for (let version = 3; version < 9; version++) {
            const changes = [{ key: EVM_ROWS[1]!.key, value: latin1(`${version}`.repeat(32)) }];
            await block({ version, stores: [{ store: 'evm', changes }] });
          }
          expect(hexOf(store.get('evm', EVM_ROWS[1]!.key, 2)!)).toBe(hexOf(EVM_ROWS[1]!.value));
        });
        await withRestored(target, async ({ commit, store }) => {
          expect([commit.version, store.latestVersion, store.earliestVersion]).toEqual([8, 8, 2]);
        });
        if (!layout.split) {
          expect(await storesIn(target.base)).toEqual(['bank', 'evm']);
          expect(existsSync(target.evm)).toBe(false);
          return;
        }
        expect(await storesIn(target.base)).toEqual(['bank']);
        const databases = layout.separateDbs ? ['nonce', 'codehash', 'code', 'storage', 'legacy'] : ['.'];
        for (const name of databases) expect(await storesIn(join(target.evm, name))).toEqual(['evm']);
      },
    );
  });
}

describe('a restore', () => {
  it('refuses trees with another root, and leaves a home that the right snapshot fits into', async () => {
    const made = await make(streams.evm!);
    const target = targetOf(homes.fresh(), { split: true });
    const wrong = restoreAll(made, target, new Uint8Array(32));
    await expect(wrong).rejects.toMatchObject({ code: 'SNAPSHOT_APP_HASH' });
    expect([target.commit, target.base, target.evm].filter((it) => existsSync(it))).toEqual([]);
    refuseInterruptedRestore(target.home);
    await restoreAll(made, target, made.appHash);
  });

  it('that was ended by a disk or a file is gone on with, one that was refused is not', async () => {
    const { chunks, ...made } = await make(streams.evm!);
    const target = targetOf(homes.fresh(), { split: true });
    const first = await offer(made.description, target, made.appHash);
    await first.applyChunk(0, chunks[0]!);
    await first.finish();
    await first.suspend();
    refuseInterruptedRestore(target.home);
    const other = targetOf(homes.fresh());
    const second = await offer(made.description, other, new Uint8Array(32));
    await second.applyChunk(0, chunks[0]!);
    const failure = await second.finish().catch((error: unknown) => error);
    await second.endAfter(new CodedError('DISK_FULL', 'no room'));
    expect(failure).toMatchObject({ code: 'SNAPSHOT_APP_HASH' });
    expect(() => refuseInterruptedRestore(other.home)).toThrow('goes on where it stopped');
    const third = await offer(made.description, other, made.appHash);
    expect(third.resumedRows).toBeGreaterThan(0);
    await third.applyChunk(0, chunks[0]!);
    await third.finish();
  });

  it('refuses a home with blocks, a stale EVM SS, and one that is in use', async () => {
    const made = await make(streams.evm!);
    const occupied = targetOf(homes.fresh());
    await restoreAll(made, occupied, made.appHash);
    const again = restoreAll(made, occupied, made.appHash);
    await expect(again).rejects.toMatchObject({ code: 'SNAPSHOT_TARGET_OCCUPIED' });

    const stale = targetOf(homes.fresh());
    mkdirSync(stale.evm, { recursive: true });
    writeFileSync(join(stale.evm, 'CURRENT'), 'left');
    await expect(restoreAll(made, stale, made.appHash)).rejects.toMatchObject({
      code: 'SNAPSHOT_TARGET_OCCUPIED',
      message: expect.stringContaining('evm_ss'),
    });

    const used = targetOf(homes.fresh());
    await homes.withState(
      { bank: BANK_ROWS },
      async () => {
        await expect(restoreAll(made, used, made.appHash)).rejects.toMatchObject({
          code: 'DIRECTORY_LOCKED',
        });
      },
      used.home,
    );
    // Its blocks were never logged: a chain without a block makes way.
    await restoreAll(made, used, made.appHash);
  });
});
