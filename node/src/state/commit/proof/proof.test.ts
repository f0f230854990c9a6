import { createHash } from 'node:crypto';
import { ics23 } from '@confio/ics23';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockAt, hexOf, StateCommitFixture, text } from '../stateCommit.fixture.ts';
import { isProven, storeRootOf } from './icsCompliance.ts';
import type { Proven } from './provableState.ts';

const fixture = new StateCommitFixture({ provableVersions: 1000 });
beforeEach(() => fixture.begin());
afterEach(() => fixture.end());

/** Blocks of one store from rows of keys and values; null deletes. */
async function write(rows: readonly (readonly [key: string, value: string | null])[]): Promise<void> {
  const changes = rows.map(([key, value]) => ({
    key: text(key),
    value: value === null ? null : text(value),
  }));
  await fixture.block({ version: fixture.commit.version + 1, stores: [{ store: 'bank', changes }] });
}

function prove(key: string, version = fixture.commit.version, store = 'bank'): Proven {
  return fixture.commit.queryWithProof(store, text(key), version);
}

function verifies(proven: Proven, key: string, store = 'bank'): boolean {
  return isProven(proven, { store, key: text(key), appHash: fixture.commit.appHash });
}

describe('the golden example (spec S-3, S-4)', () => {
  beforeEach(async () => {
    await fixture.open();
    await write([['hello', 'world']]);
    await write([
      ['hello', 'world1'],
      ['hello1', 'world1'],
    ]);
  });

  it('gives the proof that the hash rules prescribe', () => {
    const proven = prove('hello1');
    const { exist } = ics23.CommitmentProof.decode(proven.ops[0]!.data);
    const leftLeaf = createHash('sha256')
      .update(Buffer.from(`00020405${hexOf(text('hello'))}20`, 'hex'))
      .update(createHash('sha256').update('world1').digest())
      .digest('hex');
    expect(hexOf(exist!.leaf!.prefix!)).toBe('000204');
    expect(exist!.path!.map(({ prefix, suffix }) => [hexOf(prefix!), hexOf(suffix!)])).toEqual([
      [`02040420${leftLeaf}20`, ''],
    ]);
    expect(hexOf(storeRootOf(proven))).toBe(
      '457d81f933f53e5cfb90d813b84981aa2604d69939e10c94304d18287ded31f7',
    );
    expect(verifies(proven, 'hello1')).toBe(true);
  });

  it('proves against the app hash of the next versions, and the older one against its own', async () => {
    const older = fixture.commit.appHash;
    const evm = { store: 'evm', changes: [{ key: text('x'), value: text('1') }] };
    await fixture.block({ version: 3, stores: [evm] });
    await write([
      ['hello2', ''],
      ['hello', null],
    ]);
    const proven = prove('hello1');
    expect(hexOf(storeRootOf(proven))).toBe(
      '980ddcd3fc6fbd79ae61e4a37f1d134f14cb15c2c9e994434f35b0c42156b04d',
    );
    expect(verifies(proven, 'hello1')).toBe(true);
    const before = prove('hello', 2);
    expect(before.value).toEqual(text('world1'));
    expect(before.appHash).toEqual(older);
    expect(isProven(before, { store: 'bank', key: text('hello'), appHash: older })).toBe(true);
    expect(isProven(before, { store: 'bank', key: text('hello'), appHash: fixture.commit.appHash })).toBe(
      false,
    );
  });
});

describe('proofs', () => {
  it('of an empty tree name no neighbours: its root says that it is empty', async () => {
    await fixture.open();
    await write([['a', '1']]);
    const proven = prove('a', 1, 'evm');
    const { nonexist } = ics23.CommitmentProof.decode(proven.ops[0]!.data);
    expect([nonexist!.left, nonexist!.right, proven.value]).toEqual([null, null, undefined]);
    expect(hexOf(storeRootOf(proven))).toBe(createHash('sha256').digest('hex'));
  });

  it('of a single leaf: itself, left of it, right of it', async () => {
    await fixture.open();
    await write([['m', '1']]);
    for (const key of ['m', 'a', 'z']) expect(verifies(prove(key), key)).toBe(true);
    expect([prove('m').value, prove('a').value]).toEqual([text('1'), undefined]);
  });

  it('of absent keys between leaves, left of all and right of all', async () => {
    await fixture.open();
    await write(Array.from('bdfhjlnprtvx', (key) => [key, `${key}1`] as const));
    for (const key of 'abcdefghijklmnopqrstuvwxyz') {
      expect(verifies(prove(key), key)).toBe(true);
      expect(prove(key).value === undefined).toBe(!'bdfhjlnprtvx'.includes(key));
    }
  });

  it('do not hold for another key, value, store or app hash', async () => {
    await fixture.open();
    await write(Array.from('bdfhj', (key) => [key, '1'] as const));
    const proven = prove('d');
    const at = { store: 'bank', key: text('d'), appHash: fixture.commit.appHash };
    expect(isProven({ ...proven, value: text('2') }, at)).toBe(false);
    expect(isProven({ ...proven, value: undefined }, at)).toBe(false);
    expect(isProven({ ...prove('c'), value: text('1') }, { ...at, key: text('c') })).toBe(false);
    expect(isProven(proven, { ...at, appHash: new Uint8Array(32) })).toBe(false);
  });

  it('are refused for versions and stores that are not there, by name', async () => {
    await fixture.open({ provableVersions: 3 });
    await fixture.blocks(1, 9);
    expect(fixture.commit.earliestProvableVersion).toBe(7);
    expect(prove('key-0001', 7).version).toBe(7);
    for (const version of [0, 6, 10]) {
      expect(() => prove('key-0001', version)).toThrowError(
        `version ${version} cannot be proven: state commit holds 7 to 9`,
      );
    }
    expect(() => prove('a', 9, 'gov')).toThrowError(/no store "gov"/);
  });

  it('can be made of the present version alone when no other is kept', async () => {
    await fixture.open({ provableVersions: 1 });
    await fixture.blocks(1, 5);
    await fixture.commit.snapshotNow();
    expect(fixture.commit.earliestProvableVersion).toBe(5);
    expect(verifies(prove('key-0001'), 'key-0001')).toBe(true);
    expect(() => prove('a', 4)).toThrowError(/holds 5 to 5/);
  });
});

describe('kept versions', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 3 });
  const row = fc.tuple(key, fc.option(fc.string({ minLength: 1, maxLength: 40 }), { freq: 3 }));
  const step = fc.record({
    rows: fc.array(row, { maxLength: 20 }),
    next: fc.constantFrom('nothing', 'nothing', 'nothing', 'snapshot', 'freeze', 'release', 'open'),
  });

  it('stay provable whatever is written, snapshotted, frozen or opened again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 2, max: 6 }),
        key,
        async (steps, kept, asked) => {
          await fixture.end();
          fixture.begin();
          await fixture.open({ provableVersions: kept });
          const states: { appHash: Uint8Array; rows: Map<string, string> }[] = [];
          const rows = new Map<string, string>();
          let releases: (() => void)[] = [];
          let oldest = 1;
          for (const { rows: written, next } of steps) {
            await write(written);
            for (const [k, value] of written) {
              if (value === null) rows.delete(k);
              else rows.set(k, value);
            }
            states.push({ appHash: fixture.commit.appHash, rows: new Map(rows) });
            if (next === 'snapshot') await fixture.commit.snapshotNow();
            if (next === 'freeze') releases.push(fixture.commit.freeze().release);
            if (next === 'release') releases.pop()?.();
            if (next === 'open') {
              for (const release of releases.splice(0)) release();
              oldest = Math.max(oldest, fixture.commit.snapshotVersion, 1);
              await fixture.open({ provableVersions: kept });
            }
            const { version, earliestProvableVersion } = fixture.commit;
            expect(earliestProvableVersion).toBe(Math.max(oldest, version - kept + 1));
            for (let v = earliestProvableVersion; v <= version; v++) {
              const { appHash, rows: held } = states[v - 1]!;
              for (const k of new Set([asked, ...[...held.keys()].slice(0, 3)])) {
                const proven = prove(k, v);
                expect(proven.value).toEqual(held.has(k) ? text(held.get(k)!) : undefined);
                expect(proven.appHash).toEqual(appHash);
                const isEmpty = held.size === 0;
                expect(isEmpty || isProven(proven, { store: 'bank', key: text(k), appHash })).toBe(true);
              }
            }
          }
          for (const release of releases) release();
          releases = [];
        },
      ),
      { numRuns: Number(process.env.PROOF_RUNS ?? 4) },
    );
  });

  it('survive snapshots that are taken in the background while blocks go on', async () => {
    await fixture.open({ provableVersions: 40, snapshotInterval: 10 });
    const hashes: string[] = [];
    for (let version = 1; version <= 400 && fixture.commit.snapshotVersion < 30; version++) {
      hashes.push(await fixture.block(blockAt(version)));
      await new Promise((resolve) => setImmediate(resolve));
      const earliest = fixture.commit.earliestProvableVersion;
      expect(earliest).toBe(Math.max(1, version - 39));
      expect(hexOf(prove('key-0007', earliest).appHash)).toBe(hashes[earliest - 1]);
    }
    await fixture.commit.snapshotNow();
    const { version, earliestProvableVersion } = fixture.commit;
    for (let v = earliestProvableVersion; v <= version; v++) {
      const at = { store: 'evm', key: text('key-0007'), appHash: Buffer.from(hashes[v - 1]!, 'hex') };
      expect(isProven(prove('key-0007', v, 'evm'), at)).toBe(true);
    }
  });
});
