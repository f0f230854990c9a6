import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAddress, readNonce, readStorage } from '../evm/index.ts';
import { readBalanceWei } from '../ledger/index.ts';
import { bytesToHex } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import {
  ACCOUNTS,
  blockOf,
  FRIEND,
  type OpenedChain,
  openTestChain,
  STORE_COUNTER,
  transaction,
} from './chain.fixture.ts';

const SLOT = new Uint8Array(32);

describe('chain', () => {
  let root: string;
  const opened: OpenedChain[] = [];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chain-'));
  });
  afterEach(async () => {
    for (const chain of opened.splice(0)) await chain.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function open(name: string, options: Parameters<typeof openTestChain>[1] = {}): Promise<OpenedChain> {
    const chain = await openTestChain(join(root, name), options);
    opened.push(chain);
    return chain;
  }
  async function closeAll(): Promise<void> {
    for (const chain of opened.splice(0)) await chain.close();
  }

  const counter = createAddress(ACCOUNTS[1]!, 0n);
  /** Transfers of account 0; account 1 creates a counter in block 1 and calls it in each later block. */
  const txsOf = (height: number): Uint8Array[] => [
    transaction(0, height - 1, { to: FRIEND, value: 1000n }),
    transaction(1, height - 1, height === 1 ? { to: null, data: STORE_COUNTER } : { to: counter }),
  ];
  async function grow({ chain }: OpenedChain, to: number): Promise<string[]> {
    const hashes: string[] = [];
    while (chain.height < to) {
      await chain.applyBlock(blockOf(chain.nextHeight, txsOf(chain.nextHeight), chain.lastRecord));
      hashes.push(bytesToHex(chain.appHash));
    }
    return hashes;
  }

  it('gives the same app hashes split and not, in one step and in two', async () => {
    const together = await grow(await open('one'), 12);
    const split = await grow(await open('split', { split: true }), 12);
    const apart = await open('apart');
    const inSteps: string[] = [];
    for (let height = 1; height <= 12; height++) {
      const block = blockOf(height, txsOf(height), apart.chain.lastRecord);
      const { time, proposerAddress: proposer } = block.header;
      const { appHash } = await apart.chain.finalizeBlock({
        height,
        hash: block.id.hash,
        time,
        proposer,
        txs: block.txs,
      });
      await apart.chain.commit(block);
      inSteps.push(bytesToHex(appHash));
    }
    expect(new Set(together).size).toBe(12);
    expect(split).toEqual(together);
    expect(inSteps).toEqual(together);
  });

  it.each([false, true])('reads every height as it was, also after a restart (split %s)', async (split) => {
    const first = await open('home', { split });
    await grow(first, 15);
    const hash = bytesToHex(first.chain.appHash);
    const check = ({ chain }: OpenedChain): void => {
      for (let height = 1; height <= 15; height++) {
        const state = chain.stateAt(height);
        expect(readBalanceWei(state, FRIEND)).toBe(1000n * BigInt(height));
        expect(readNonce(state, ACCOUNTS[0]!)).toBe(BigInt(height));
        expect(Number(readStorage(state, counter, SLOT).at(-1))).toBe(height - 1);
        expect(chain.contextAt(height)).toMatchObject({ height, gasLimit: 30_000_000n });
      }
    };
    check(first);
    await closeAll();
    const second = await open('home', { split });
    expect(second.chain.height).toBe(15);
    expect(bytesToHex(second.chain.appHash)).toBe(hash);
    expect(second.chain.lastRecord?.block.header.height).toBe(15);
    check(second);
    await grow(second, 16);
  });

  it('announces a block when it is logged and readable everywhere, and outlives a listener that throws', async () => {
    const { chain, parts } = await open('home');
    const seen: number[] = [];
    chain.onBlock(() => {
      throw new RangeError('a listener of ours fails');
    });
    const stop = chain.onBlock(({ block: { header } }: BlockRecord) => {
      expect(parts.changelog.lastVersion).toBe(header.height);
      expect(chain.height).toBe(header.height);
      expect(parts.history.blockByHeight(header.height)).toBeDefined();
      expect(readBalanceWei(chain.stateAt(header.height), FRIEND)).toBe(1000n * BigInt(header.height));
      seen.push(header.height);
    });
    await grow({ chain, parts } as OpenedChain, 3);
    stop();
    await grow({ chain, parts } as OpenedChain, 4);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('refuses a wrong height, a second run, a commit without a run, and reads outside its range', async () => {
    const { chain } = await open('home');
    const block = blockOf(1, txsOf(1));
    const proposal = {
      height: 1,
      hash: block.id.hash,
      time: block.header.time,
      proposer: block.header.proposerAddress,
      txs: block.txs,
    };
    await expect(chain.commit(block)).rejects.toMatchObject({ code: 'CHAIN_NOT_FINALIZED' });
    await expect(chain.applyBlock(blockOf(2, []))).rejects.toMatchObject({ code: 'CHAIN_WRONG_HEIGHT' });
    await chain.finalizeBlock(proposal);
    expect(chain.height).toBe(0);
    // An engine that starts again asks for the block that it has not seen committed.
    await chain.finalizeBlock(proposal);
    const other = { ...proposal, hash: new Uint8Array(32) };
    await expect(chain.finalizeBlock(other)).rejects.toMatchObject({ code: 'CHAIN_NOT_COMMITTED' });
    await chain.commit(block);
    expect(() => chain.stateAt(2)).toThrow('requested height 2 is not yet available; safe latest is 1');
    expect(() => chain.contextAt(0)).toThrow('requested height 0 has been pruned; earliest available is 1');
  });

  it('takes no more blocks once one could not be logged, and recovers by a restart', async () => {
    const { chain, parts } = await open('home');
    await grow({ chain, parts } as OpenedChain, 2);
    const hash = bytesToHex(chain.appHash);
    await parts.changelog.close();
    await expect(chain.applyBlock(blockOf(3, txsOf(3), chain.lastRecord))).rejects.toMatchObject({
      code: 'CHAIN_HALTED',
      cause: expect.any(CodedError),
    });
    await expect(chain.applyBlock(blockOf(3, []))).rejects.toMatchObject({ code: 'CHAIN_HALTED' });
    expect(() => chain.newestState).toThrow(CodedError);
    expect(chain.height).toBe(2);
    await closeAll();
    const again = await open('home');
    expect(again.chain.height).toBe(2);
    expect(bytesToHex(again.chain.appHash)).toBe(hash);
    await grow(again, 3);
  });

  it('refuses stores that did not come to one height', async () => {
    await grow(await open('home'), 3);
    await closeAll();
    rmSync(join(root, 'home/data/history'), { recursive: true });
    rmSync(join(root, 'home/data/changelog'), { recursive: true });
    await expect(open('home')).rejects.toBeInstanceOf(CodedError);
  });

  it('drops changelog entries that every store has on disk, and still reopens', async () => {
    const first = await open('home', { changelogKeepRecent: 5 });
    await grow(first, 99);
    await first.parts.stateCommit.snapshotNow();
    await first.parts.stateStore.flushed();
    await first.parts.history.flush();
    await grow(first, 101);
    await expect.poll(() => first.parts.changelog.firstVersion).toBeGreaterThan(1);
    const hash = bytesToHex(first.chain.appHash);
    await closeAll();
    const second = await open('home');
    expect(second.chain.height).toBe(101);
    expect(bytesToHex(second.chain.appHash)).toBe(hash);
  });
});
