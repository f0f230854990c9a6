import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getContractAddress, type Hex, hexToBytes, numberToBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction, readStorage, wrapEvmTransaction } from '../../node/src/evm/index.ts';
import { STORE_NAMES } from '../../node/src/state/schema/index.ts';
import { decidedBlock } from '../bench/blockHome.ts';
import { developmentAccount } from '../support/accounts.ts';
import { chaindHere } from '../support/chaindHere.ts';
import { startDevNode } from '../support/devNode.ts';
import {
  COUNTER_CODE,
  countOf,
  createHomes,
  edit,
  heightOf,
  type MadeChain,
  makeChain,
  refusalOf,
  send,
  start,
} from '../support/madeChain.ts';
import { type OpenedHome, openHome } from '../support/openHome.ts';
import { rpcCall } from '../support/rpcCall.ts';

const homes = createHomes();
afterAll(() => homes.remove());

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** Runs `chaind snapshot …` and gives its JSON. */
async function snapshot(...args: readonly string[]): Promise<Record<string, unknown>> {
  const outcome = await chaindHere(['snapshot', ...args, '--output', 'json']);
  expect(outcome.code, outcome.err).toBe(0);
  return JSON.parse(outcome.out) as Record<string, unknown>;
}

/** What the documented wipe leaves of a home: configuration, keys, and what was signed last. */
function emptied(home: string, split: boolean): string {
  const fresh = homes.fresh();
  mkdirSync(join(fresh, 'data'), { recursive: true });
  cpSync(join(home, 'config'), join(fresh, 'config'), { recursive: true });
  cpSync(join(home, 'data/priv_validator_state.json'), join(fresh, 'data/priv_validator_state.json'));
  edit(fresh, 'evm-ss-split', String(split));
  return fresh;
}

/** Every row of SC's newest state by store and key, each of which SS must have, too. */
function rowsOf({ chain, parts }: OpenedHome): Map<string, string> {
  const rows = new Map<string, string>();
  for (const store of STORE_NAMES) {
    for (const [key, value] of parts.stateCommit.iterate(store)) {
      expect(hex(parts.stateStore.get(store, key, chain.height)!)).toBe(hex(value));
      rows.set(`${store}/${hex(key)}`, hex(value));
    }
  }
  return rows;
}

/** Makes a snapshot of a stopped node and puts it into a file. */
async function archived(home: string): Promise<{ file: string; height: number }> {
  const { height } = await snapshot('create', '--home', home);
  const file = join(homes.root, `${height}.tar`);
  await snapshot('export', file, '--home', home);
  return { file, height: Number(height) };
}

/** Puts the hashes of all blocks of the chain, by their numbers, into its slots. */
const ASKING_CONTRACT = '0x6010600c60003960106000f3435b6001900380804090558060015700';

async function signed(
  nonce: number,
  fields: { readonly to?: Hex; readonly data?: Hex },
): Promise<Uint8Array> {
  const raw = await developmentAccount(0).signTransaction({
    chainId: 713_714,
    type: 'eip1559',
    nonce,
    gas: 3_000_000n,
    maxFeePerGas: 1_000_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...fields,
  });
  return wrapEvmTransaction(decodeTransaction(hexToBytes(raw)));
}

async function expectSameState(from: string, to: string, splits: readonly [boolean, boolean]): Promise<void> {
  const original = await openHome(from, { split: splits[0] });
  const restored = await openHome(to, { split: splits[1] });
  try {
    expect(hex(restored.chain.appHash)).toBe(hex(original.chain.appHash));
    expect(restored.chain.height).toBe(original.chain.height);
    expect(restored.parts.stateStore.earliestVersion).toBe(original.chain.height);
    expect(rowsOf(restored)).toEqual(rowsOf(original));
  } finally {
    await restored.close();
    await original.close();
  }
}

describe('a snapshot carried to another home', () => {
  let made: MadeChain;
  let first: { file: string; height: number };
  beforeAll(async () => {
    made = await makeChain(homes.fresh(), false);
    first = await archived(made.home);
  });

  it('goes from one store into the split layout and back, with equal app hashes and values', async () => {
    const split = emptied(made.home, true);
    await snapshot('import', first.file, '--home', split);
    await expectSameState(made.home, split, [false, true]);

    const node = await startDevNode({ home: split, blockTimeMs: 100 });
    try {
      expect(await countOf(node, made.counter)).toBe(2n);
      expect(await rpcCall(node.url, 'eth_getCode', [made.counter, 'latest'])).toBe(COUNTER_CODE);
      await send(node, 3, { to: made.counter });
      expect(await countOf(node, made.counter)).toBe(3n);
      expect(await countOf(node, made.counter, first.height)).toBe(2n);
      expect(await heightOf(node)).toBeGreaterThan(first.height);
      const before = rpcCall(node.url, 'eth_getStorageAt', [made.counter, '0x0', '0x1']);
      await expect(before).rejects.toThrow('pruned');
      expect(await node.stop()).toBe(0);
    } finally {
      await node.kill9();
    }

    const unsplit = emptied(split, false);
    const second = await archived(split);
    await snapshot('import', second.file, '--home', unsplit);
    await expectSameState(split, unsplit, [true, false]);
    expect(existsSync(join(unsplit, 'data/evm_ss'))).toBe(false);
  });

  it('goes on with the same app hashes and results, also where contracts ask for hashes of blocks before it', async () => {
    const source = homes.copyOf(made.home);
    const target = emptied(made.home, true);
    await snapshot('import', first.file, '--home', target);
    const original = await openHome(source, { split: false });
    const restored = await openHome(target, { split: true });
    try {
      const asking = getContractAddress({ from: developmentAccount(0).address, nonce: 3n });
      for (let nonce = 3; nonce < 13; nonce++) {
        const txs = [await signed(nonce, nonce === 3 ? { data: ASKING_CONTRACT } : { to: asking })];
        const { chain } = original;
        const block = decidedBlock(chain.nextHeight, txs, chain.lastRecord);
        const { record } = await chain.applyBlock(block);
        expect(record.receipts).toMatchObject([{ status: 1 }]);
        const again = await restored.chain.applyBlock(block);
        expect(again.record).toEqual(record);
        expect(hex(restored.chain.appHash)).toBe(hex(chain.appHash));
      }
      const hashOf = (height: number) => hex(original.chain.blockHash(height)!);
      const slot = (height: number) =>
        hex(readStorage(restored.chain.newestState, hexToBytes(asking), numberToBytes(height, { size: 32 })));
      for (const height of [1, first.height - 1, first.height, first.height + 9]) {
        expect(slot(height)).toBe(hashOf(height));
      }
    } finally {
      await restored.close();
      await original.close();
    }
  });

  it('is refused with another app hash, of another chain, and where there is a chain; nothing is touched', async () => {
    const target = emptied(made.home, true);
    const hash = `0x${'ab'.repeat(32)}`;
    const importInto = (home: string) =>
      chaindHere(['snapshot', 'import', first.file, '--home', home, '--app-hash', hash]);
    const wrong = refusalOf(await importInto(target));
    expect(wrong).toContain(`not to ${hash}`);
    expect(existsSync(join(target, 'data/evm_ss'))).toBe(false);
    expect(refusalOf(await importInto(made.home))).toContain('holds blocks');
    const other = homes.fresh();
    expect(
      (await chaindHere(['init', 'x', '--home', other, '--chain-id', 'other-1', '--evm-chain-id', '5'])).code,
    ).toBe(0);
    expect(refusalOf(await importInto(other))).toContain('other-1');
    await snapshot('import', first.file, '--home', target);
  });

  it('that was restored by half keeps the node from starting, until it is restored again', async () => {
    const target = emptied(made.home, false);
    await snapshot('import', first.file, '--home', target);
    const directories = ['committer.db', 'pebbledb', 'history'].map((name) => join(target, 'data', name));
    writeFileSync(join(target, 'data/restore.json'), JSON.stringify({ height: 7, directories }));
    const refusal = refusalOf(await start(target));
    expect(refusal).toContain('snapshot of height 7');
    expect(refusal).toContain('chaind snapshot import');
    await snapshot('import', first.file, '--home', target);
    await expectSameState(made.home, target, [false, false]);
  });
});
