import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAddress, storageKey } from '../evm/index.ts';
import { bytesToHex } from '../primitives/index.ts';
import { verifyFlatKv } from '../state/flatKv/index.ts';
import { STORE, STORE_NAMES } from '../state/schema/index.ts';
import { openStateReader } from '../state/store/index.ts';
import {
  ACCOUNTS,
  blockOf,
  FRIEND,
  type OpenedChain,
  openTestChain,
  STORE_COUNTER,
  transaction,
} from './chain.fixture.ts';

const counter = createAddress(ACCOUNTS[1]!, 0n);
const SLOT = storageKey(counter, new Uint8Array(32));

describe.each([{ split: false }, { split: true }])('a chain that goes back (split $split)', ({ split }) => {
  let home: string;
  let opened: OpenedChain;
  const open = async (): Promise<void> => {
    opened = await openTestChain(home, { split, flatKv: true });
  };
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'chain-back-'));
    await open();
  });
  afterEach(async () => {
    await opened.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** App hashes by height; the friend gets so much in each block. */
  async function grow(to: number, value = 1000n): Promise<Map<number, string>> {
    const { chain } = opened;
    const hashes = new Map<number, string>();
    while (chain.height < to) {
      const height = chain.nextHeight;
      const txs = [
        transaction(0, height - 1, { to: FRIEND, value }),
        transaction(1, height - 1, height === 1 ? { to: null, data: STORE_COUNTER } : { to: counter }),
      ];
      await chain.applyBlock(blockOf(height, txs, chain.lastRecord, chain.appHash));
      hashes.set(height, bytesToHex(chain.appHash));
    }
    return hashes;
  }

  async function expectWhole(height: number, appHash: string): Promise<void> {
    const { chain, parts } = opened;
    const { stateCommit, stateStore, history, changelog, flatKv } = parts;
    expect(chain.height).toBe(height);
    expect(bytesToHex(chain.appHash)).toBe(appHash);
    expect(bytesToHex(stateCommit.appHash)).toBe(appHash);
    expect([stateStore.latestVersion, history.latestHeight, changelog.lastVersion]).toEqual(
      Array(3).fill(height),
    );
    expect(stateStore.get(STORE.evm, SLOT, height)).toEqual(stateCommit.get(STORE.evm, SLOT));
    expect(history.blockByHeight(height + 1)).toBeUndefined();
    expect(chain.blockHash(height + 1)).toBeUndefined();
    await flatKv!.flushed();
    expect(flatKv!.version).toBe(height);
  }

  it('is as it was, whatever came since, and grows the same way once more', async () => {
    const first = await grow(20);
    const reader = await openStateReader(opened.parts.stateStore.handles!);
    const { stateStore } = opened.parts;
    const look = async (version: number) => {
      await stateStore.reached(version);
      reader.advance(version, stateStore.rewinds);
      expect(reader.get(STORE.evm, SLOT, version)).toEqual(stateStore.get(STORE.evm, SLOT, version));
    };
    await look(20);
    const told: number[] = [];
    opened.chain.onRewind((height) => {
      const goes = opened.parts.history.blockByHeight(height + 1)!.block.header.height;
      return () => told.push(goes, opened.chain.height);
    });
    const steps: string[] = [];
    for (const target of [12, 5]) {
      await opened.chain.rewind(target, {
        begin: async ({ block }) => void steps.push(`begin ${block.header.height}`),
        end: async () => void steps.push('end'),
      });
      await expectWhole(target, first.get(target)!);
      // Other blocks, as many as there were.
      const other = await grow(20, 7n);
      expect(other.get(20)).not.toBe(first.get(20));
      await look(20);
      await opened.chain.rewind(target, { begin: async () => {}, end: async () => {} });
    }
    expect(steps).toEqual(['begin 13', 'end', 'begin 6', 'end']);
    expect(told).toEqual([13, 12, 13, 12, 6, 5, 6, 5]);
    const again = await grow(20);
    for (const [height, hash] of again) expect(hash).toBe(first.get(height));
    await expectWhole(20, first.get(20)!);
    await reader.close();
    await opened.parts.flatKv!.close();
    const directory = join(home, DATA_DIRS.flatKv);
    const check = { directory, stores: STORE_NAMES, version: 20 };
    expect((await verifyFlatKv(check, opened.parts.stateCommit)).difference).toBeUndefined();
    await opened.close();
    await open();
    await expectWhole(20, first.get(20)!);
  });

  it('goes behind a snapshot of the state, and over a restart', async () => {
    const hashes = await grow(30);
    await opened.parts.stateCommit.snapshotNow();
    await grow(33);
    await expect(
      opened.chain.rewind(29, { begin: async () => {}, end: async () => {} }),
    ).rejects.toMatchObject({
      code: 'CHAIN_CANNOT_GO_BACK',
      fields: { height: 29, lowest: 30 },
    });
    await opened.chain.rewind(30, { begin: async () => {}, end: async () => {} });
    await opened.close();
    await open();
    await expectWhole(30, hashes.get(30)!);
  });

  it('halts when it fails half-way, and FlatKV that was left ahead is made again', async () => {
    const hashes = await grow(10);
    const failing = { begin: async () => {}, end: () => Promise.reject(new Error('killed')) };
    await expect(opened.chain.rewind(6, failing)).rejects.toMatchObject({ code: 'CHAIN_HALTED' });
    await expect(grow(7)).rejects.toMatchObject({ code: 'CHAIN_HALTED' });
    await opened.close();
    await open();
    await expectWhole(6, hashes.get(6)!);
  });
});
