import assert from 'node:assert';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unwrapEvmTransaction } from '../../node/src/evm/index.ts';
import { sha256, toHexData, toHexQuantity } from '../../node/src/primitives/index.ts';
import type { RpcFixture } from '../../node/src/rpc/rpc.fixture.ts';
import { ACCOUNTS } from '../../node/src/rpc/testTransactions.fixture.ts';
import type { BlockRecord } from '../../node/src/types/index.ts';
import { GOLD } from '../support/goldGenesis.ts';
import { type LoadKind, MixedLoad, openGoldChain, POINTER } from '../support/mixedLoad.ts';

type Json = Record<string, unknown>;
type Entry = {
  readonly hash: string;
  readonly kind: 'evm' | 'synthetic' | 'transfer';
  readonly logs: number;
};

const KINDS: readonly LoadKind[] = [
  'value',
  'token',
  'tokenTooMuch',
  'sendUnits',
  'sendGold',
  'sendBoth',
  'sendUnitsAndGold',
  'multiSendGold',
  'sendTooMuch',
];
const BLOCKS = 6;
const BLOCK_TRANSACTIONS = 12;

let rpc: RpcFixture;
/** By height less one. */
const records: BlockRecord[] = [];
beforeAll(async () => {
  rpc = await openGoldChain();
  const load = new MixedLoad();
  records.push(await rpc.block(load.make('register', 0, 0) as never));
  const one = fc.record({
    kind: fc.constantFrom(...KINDS),
    by: fc.nat(2),
    amount: fc.integer({ min: 1, max: 1000 }),
  });
  const all = fc.sample(one, { numRuns: BLOCKS * BLOCK_TRANSACTIONS, seed: 7 });
  for (let at = 0; at < all.length; at += BLOCK_TRANSACTIONS) {
    const made = all
      .slice(at, at + BLOCK_TRANSACTIONS)
      .map(({ kind, by, amount }) => load.make(kind, by, amount));
    records.push(await rpc.block(...(await Promise.all(made))));
  }
}, 120_000);
afterAll(() => rpc.close());

/** What a block has to show, from its bytes and results alone. */
function recount({ block, results }: BlockRecord): Entry[] {
  return block.txs.flatMap((raw, i): Entry[] => {
    const evm = unwrapEvmTransaction(raw);
    const isGood = results[i]!.code === 0;
    // A pointer's transfer logs once, and so does the registration in nothing.
    const isToken = evm?.to && Buffer.compare(evm.to, POINTER) === 0;
    if (evm) return [{ hash: toHexData(evm.hash), kind: 'evm', logs: isGood && isToken ? 1 : 0 }];
    if (!isGood) return [];
    const hash = toHexData(sha256(raw));
    const { messages } = TxBody.decode(TxRaw.decode(raw).bodyBytes);
    const sends = messages.map(({ typeUrl, value }) => {
      if (typeUrl === MsgSend.typeUrl) {
        const isGold = MsgSend.decode(value).amount.some(({ denom }) => denom === GOLD);
        return { logs: isGold ? 1 : 0, isTransfer: !isGold };
      }
      return { logs: MsgMultiSend.decode(value).outputs.length, isTransfer: false };
    });
    const logs = sends.reduce((sum, one) => sum + one.logs, 0);
    const transfers = sends.filter(({ isTransfer }) => isTransfer);
    const synthetic: Entry[] = logs > 0 ? [{ hash, kind: 'synthetic', logs }] : [];
    return [...synthetic, ...transfers.map((): Entry => ({ hash, kind: 'transfer', logs: 0 }))];
  });
}

const VIEWS = {
  eth: ['evm'],
  chain: ['evm', 'synthetic'],
  chain2: ['evm', 'synthetic', 'transfer'],
} as const;
const namespaces = Object.keys(VIEWS) as (keyof typeof VIEWS)[];
const listed = (record: BlockRecord, kinds: readonly string[]) =>
  recount(record).filter(({ kind }) => kinds.includes(kind));

describe.each(namespaces)('the view of %s_', (namespace) => {
  const expected = (record: BlockRecord) => listed(record, VIEWS[namespace]);
  const block = async (record: BlockRecord, full: boolean) => {
    const number = toHexQuantity(record.block.header.height);
    return (await rpc.result(`${namespace}_getBlockByNumber`, number, full)) as Json & {
      transactions: never[];
    };
  };

  it('lists and counts what a recount of the blocks gives, in ledger order', async () => {
    for (const record of records) {
      const hashes = expected(record).map(({ hash }) => hash);
      const shown = await block(record, false);
      // A ledger transaction with both kinds shows its synthetic entry at its place; the order within is free.
      expect(shown.transactions).toEqual(hashes);
      const number = toHexQuantity(record.block.header.height);
      const hash = toHexData(record.block.id.hash);
      const count = toHexQuantity(hashes.length);
      expect(await rpc.result(`${namespace}_getBlockTransactionCountByNumber`, number)).toBe(count);
      expect(await rpc.result(`${namespace}_getBlockTransactionCountByHash`, hash)).toBe(count);
      expect(await rpc.result(`${namespace}_getBlockByHash`, hash, false)).toEqual(shown);
      const full = (await block(record, true)).transactions as Json[];
      expect(full.map((entry) => entry.transactionIndex)).toEqual(full.map((_, i) => toHexQuantity(i)));
    }
  });

  it('gives receipts numbered through, whose logs are those of the block', async () => {
    for (const record of records) {
      const hash = toHexData(record.block.id.hash);
      const entries = expected(record);
      const receipts = (await rpc.result(`${namespace}_getBlockReceipts`, hash)) as (Json & {
        logs: Json[];
      })[];
      const withReceipt = entries
        .map((entry, i) => ({ ...entry, i }))
        .filter(({ kind }) => kind !== 'transfer');
      expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
        withReceipt.map((one) => one.hash),
      );
      expect(receipts.map(({ transactionIndex }) => Number(transactionIndex))).toEqual(
        withReceipt.map(({ i }) => i),
      );
      expect(receipts.map(({ logs }) => logs.length)).toEqual(withReceipt.map(({ logs }) => logs));
      const logs = receipts.flatMap((receipt) => receipt.logs);
      expect(logs.map(({ logIndex }) => Number(logIndex))).toEqual(logs.map((_, i) => i));
      let cumulative = 0n;
      for (const receipt of receipts) {
        cumulative += BigInt(String(receipt.gasUsed));
        expect(BigInt(String(receipt.cumulativeGasUsed))).toBe(cumulative);
      }
      const { gasUsed, logsBloom } = await block(record, false);
      const bloom = receipts.reduce((sum, one) => sum | BigInt(String(one.logsBloom)), 0n);
      expect(BigInt(String(logsBloom))).toBe(bloom);
      if (namespace !== 'chain2') expect(BigInt(String(gasUsed))).toBe(cumulative);
      else expect(BigInt(String(gasUsed))).toBeGreaterThanOrEqual(cumulative);
    }
  });
});

describe.each(['eth', 'chain'] as const)('logs of %s_', (namespace) => {
  it('are those of its receipts, by query, by filter and by address', async () => {
    const all: unknown[] = [];
    for (const record of records) {
      const receipts = await rpc.result(`${namespace}_getBlockReceipts`, toHexData(record.block.id.hash));
      all.push(...(receipts as { logs: unknown[] }[]).flatMap(({ logs }) => logs));
    }
    const range = { fromBlock: '0x1', toBlock: toHexQuantity(records.length) };
    expect(all.length).toBeGreaterThan(5);
    expect(await rpc.result(`${namespace}_getLogs`, range)).toEqual(all);
    expect(await rpc.result(`${namespace}_getLogs`, { ...range, address: toHexData(POINTER) })).toEqual(all);
    const filter = await rpc.result(`${namespace}_newFilter`, range);
    expect(await rpc.result(`${namespace}_getFilterLogs`, filter)).toEqual(all);
    expect(await rpc.result(`${namespace}_getFilterChanges`, filter)).toEqual(all);
    const sender = toHexData(Buffer.concat([new Uint8Array(12), ACCOUNTS[0]!]));
    const bySender = await rpc.result(`${namespace}_getLogs`, { ...range, topics: [null, sender] });
    expect(bySender).toEqual((all as { topics: string[] }[]).filter(({ topics }) => topics[1] === sender));
  });
});

describe('a synthetic transaction', () => {
  const find = (kind: Entry['kind']) => {
    for (const record of records) {
      const entry = recount(record).find((one) => one.kind === kind);
      if (entry) return { record, entry };
    }
    assert.fail(`the load holds no ${kind} entry`);
  };

  it('is the ledger message, to the pointer, from its signer', async () => {
    const { record, entry } = find('synthetic');
    const number = toHexQuantity(record.block.header.height);
    const { transactions } = (await rpc.result('chain_getBlockByNumber', number, true)) as {
      transactions: Json[];
    };
    const shown = transactions.find(({ hash }) => hash === entry.hash)!;
    const raw = record.block.txs.find((one) => toHexData(sha256(one)) === entry.hash)!;
    const { messages } = TxBody.decode(TxRaw.decode(raw).bodyBytes);
    expect(shown).toMatchObject({ to: toHexData(POINTER), type: '0x0', value: null, gasPrice: null });
    expect(messages.map(({ value }) => toHexData(value))).toContain(shown.input);
    const receipt = (await rpc.result('chain_getTransactionReceipt', entry.hash)) as Json;
    expect(receipt).toMatchObject({
      type: '0xffffffff',
      status: '0x1',
      effectiveGasPrice: '0x0',
      contractAddress: null,
      from: shown.from,
    });
    expect(receipt).not.toHaveProperty('to');
  });

  it('does not exist for eth_, cannot be traced, and is known to the ledger', async () => {
    const { entry } = find('synthetic');
    expect(await rpc.result('eth_getTransactionReceipt', entry.hash)).toBeNull();
    expect(await rpc.result('eth_getTransactionByHash', entry.hash)).toBeNull();
    expect((await rpc.call('debug_traceTransaction', entry.hash)).error?.message).toMatch(
      /^cannot replay non-EVM/,
    );
    expect((await rpc.call('chain_getTransactionByHash', entry.hash)).error?.message).toMatch(/not an EVM/);
    expect(await rpc.result('chain_getLedgerTx', entry.hash)).toMatchObject({
      hash: entry.hash.slice(2).toUpperCase(),
    });
  });

  it('is left out with what has no trace, where its sends are listed as transfers', async () => {
    for (const record of records) {
      const number = toHexQuantity(record.block.header.height);
      const list = async (method: string) =>
        ((await rpc.result(method, number, false)) as { transactions: string[] }).transactions;
      const evm = listed(record, ['evm']).map(({ hash }) => hash);
      expect(await list('chain_getBlockByNumberExcludeTraceFail')).toEqual(evm);
      const shown = await list('chain2_getBlockByNumberExcludeTraceFail');
      expect(shown.filter((hash) => evm.includes(hash))).toEqual(evm);
    }
  });

  it('stands beside EVM transactions that can all be traced again', async () => {
    for (const record of records) {
      const number = toHexQuantity(record.block.header.height);
      const traces = await rpc.result('debug_traceBlockByNumber', number, { tracer: 'callTracer' });
      const receipts = (await rpc.result('eth_getBlockReceipts', number)) as Json[];
      const gas = (traces as { result: Json }[]).map(({ result }) => result.gasUsed);
      expect(gas).toEqual(receipts.map(({ gasUsed }) => gasUsed));
    }
  });

  it('goes when its block is pruned', async () => {
    const { record, entry } = find('synthetic');
    const { height } = record.block.header;
    await rpc.prune({ blocks: height + 1 });
    expect(await rpc.result('chain_getTransactionReceipt', entry.hash)).toBeNull();
    const { error } = await rpc.call('chain_getBlockReceipts', toHexQuantity(height));
    expect(error?.message).toContain('pruned');
  });
});
