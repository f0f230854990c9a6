import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAddress } from '../evm/index.ts';
import { bytesToHex, compareBytes, concatBytes } from '../primitives/index.ts';
import { openChangelog } from '../state/changelog/index.ts';
import { openStateCommit } from '../state/commit/index.ts';
import { openFlatKv, verifyFlatKv } from '../state/flatKv/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import type { KeyChange } from '../types/index.ts';
import {
  ACCOUNTS,
  blockOf,
  FRIEND,
  type OpenedChain,
  openTestChain,
  STORE_COUNTER,
  transaction,
} from './chain.fixture.ts';

describe('a chain with FlatKV', () => {
  let root: string;
  let opened: OpenedChain | undefined;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chain-flatkv-'));
  });
  afterEach(async () => {
    await opened?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function open(name: string, options: Parameters<typeof openTestChain>[1] = {}): Promise<OpenedChain> {
    await opened?.close();
    opened = await openTestChain(join(root, name), options);
    return opened;
  }

  const counter = createAddress(ACCOUNTS[1]!, 0n);
  const txsOf = (height: number): Uint8Array[] => [
    transaction(0, height - 1, { to: FRIEND, value: 1000n }),
    transaction(1, height - 1, height === 1 ? { to: null, data: STORE_COUNTER } : { to: counter }),
  ];
  async function grow({ chain }: OpenedChain, to: number): Promise<string> {
    while (chain.height < to) {
      await chain.applyBlock(blockOf(chain.nextHeight, txsOf(chain.nextHeight), chain.lastRecord));
    }
    return bytesToHex(chain.appHash);
  }

  it('has the trees’ rows in FlatKV and the same app hash as one without', async () => {
    const alone = await grow(await open('alone'), 15);
    const shadowed = await open('shadowed', { flatKv: true });
    expect(await grow(shadowed, 9)).not.toBe(alone);
    const { flatKv } = (await open('shadowed', { flatKv: true })).parts;
    expect(await grow(opened!, 15)).toBe(alone);
    await flatKv!.flushed();
    expect(flatKv!.version).toBe(15);
    await flatKv!.close();
    const directory = join(root, 'shadowed', DATA_DIRS.flatKv);
    const { stateCommit } = opened!.parts;
    const report = await verifyFlatKv({ directory, stores: STORE_NAMES, version: 15 }, stateCommit);
    expect(report.difference).toBeUndefined();
    expect(report.rows).toBeGreaterThan(20);
    expect(bytesToHex(report.hash)).toBe(bytesToHex(flatKv!.hash));
  });

  it('keeps the changelog that FlatKV still needs', async () => {
    const { parts } = await open('home', { flatKv: true, changelogKeepRecent: 5 });
    await grow(opened!, 90);
    await parts.flatKv!.flushed();
    await parts.flatKv!.close();
    await grow(opened!, 99);
    await parts.stateCommit.snapshotNow();
    await parts.stateStore.flushed();
    await parts.history.flush();
    await grow(opened!, 101);
    await expect.poll(() => parts.changelog.firstVersion).toBeGreaterThan(1);
    // The others would let 95 go; FlatKV has synced 90.
    expect(parts.flatKv!.durableVersion).toBe(90);
    expect(parts.changelog.firstVersion).toBeLessThanOrEqual(90);
  });
});

describe('FlatKV beside the trees', () => {
  const address = fc.integer({ min: 0, max: 5 }).map((byte) => new Uint8Array(20).fill(byte));
  const word = (length: number) =>
    fc.oneof(fc.constant(new Uint8Array(length)), fc.uint8Array({ minLength: length, maxLength: length }));
  const value = (written: fc.Arbitrary<Uint8Array>) => fc.option(written, { freq: 4 });
  const keyed = (first: number, written: fc.Arbitrary<Uint8Array>, rest = fc.constant(new Uint8Array(0))) =>
    fc
      .tuple(address, rest, value(written))
      .map(([of, more, to]) => ({ key: concatBytes(Uint8Array.of(first), of, more), value: to }));
  const slot = fc.integer({ min: 0, max: 3 }).map((byte) => new Uint8Array(32).fill(byte));
  const evmChange = fc.oneof(
    keyed(0x03, word(32), slot),
    keyed(0x07, fc.uint8Array({ maxLength: 2000 })),
    keyed(0x08, word(32)),
    keyed(0x0a, word(8)),
    keyed(0x01, fc.uint8Array({ maxLength: 40 })),
    // Not of the shape of a nonce, so kept as it is.
    keyed(0x0a, fc.uint8Array({ maxLength: 40 }), slot),
  );
  const inOrder = (changes: readonly KeyChange[]): KeyChange[] =>
    changes.toSorted((a, b) => compareBytes(a.key, b.key));
  const changesOf = (change: fc.Arbitrary<KeyChange>) =>
    fc.uniqueArray(change, { maxLength: 12, selector: ({ key }) => bytesToHex(key) }).map(inOrder);
  const bankChange = keyed(0x02, fc.uint8Array({ maxLength: 12 }));
  const history = fc.array(fc.tuple(changesOf(bankChange), changesOf(evmChange)), {
    minLength: 5,
    maxLength: 30,
  });

  it('has the same rows after any history', async () => {
    const root = mkdtempSync(join(tmpdir(), 'flatkv-beside-'));
    const stores = ['bank', 'evm'];
    let run = 0;
    const checkHistory = async (blocks: (readonly [KeyChange[], KeyChange[]])[]): Promise<void> => {
      const home = join(root, String(run++));
      const logger = silentLogger;
      const changelog = await openChangelog({ directory: join(home, 'log') }, { logger });
      const stateCommit = await openStateCommit(
        { directory: join(home, 'trees'), stores, snapshotInterval: 1000, snapshotKeepRecent: 0 },
        { changelog, logger },
      );
      const directory = join(home, 'flatkv');
      const flatKv = await openFlatKv({ directory }, { changelog, state: stateCommit, logger });
      for (const [index, [bank, evm]] of blocks.entries()) {
        const changed = [
          { store: 'bank', changes: bank },
          { store: 'evm', changes: evm },
        ];
        const changes = { version: index + 1, stores: changed };
        stateCommit.apply(changes);
        await changelog.append({ changes, record: new Uint8Array(0) });
        await flatKv.apply(changes);
      }
      await flatKv.flushed();
      await flatKv.close();
      const report = await verifyFlatKv({ directory, stores, version: blocks.length }, stateCommit);
      await stateCommit.close();
      await changelog.close();
      expect(report.difference).toBeUndefined();
      expect(bytesToHex(report.hash)).toBe(bytesToHex(flatKv.hash));
    };
    await fc.assert(fc.asyncProperty(history, checkHistory), { numRuns: 4 });
    rmSync(root, { recursive: true });
  });
});
