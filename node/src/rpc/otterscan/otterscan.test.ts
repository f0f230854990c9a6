import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddress } from '../../evm/index.ts';
import { hexToBytes, toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  FRIEND,
  growBlocks,
  REVERT_DATA,
  REVERTER,
  sign,
} from '../testTransactions.fixture.ts';

const hex = toHexData;
const [alice, bob] = ACCOUNTS.map(hex) as [string, string];
/** Creates a contract whose code is STOP, and sends 5 wei to the friend. */
const FACTORY = hexToBytes(
  `6460016000f36000526005601b6000f0506000600060006000600573${'fe'.repeat(20)}5af100`,
);
const factory = createAddress(ACCOUNTS[0]!, 2n);
const made = createAddress(factory, 1n);

let rpc: RpcFixture;
const hashesOf = async (block: string) =>
  ((await rpc.result('eth_getBlockByNumber', block, false)) as { transactions: string[] }).transactions;

beforeAll(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
  const length = FACTORY.length.toString(16).padStart(2, '0');
  const init = Buffer.concat([hexToBytes(`60${length}80600b6000396000f3`), FACTORY]);
  await rpc.block(sign(0, { nonce: 2n, data: init }));
  await rpc.block(sign(0, { nonce: 3n, to: factory, value: 9n }));
  await rpc.block();
});
afterAll(() => rpc.close());

describe('Otterscan', () => {
  it('finds who created a contract, by a transaction or within one', async () => {
    const [creation] = await hashesOf('0x1');
    expect(await rpc.result('ots_getContractCreator', hex(COUNTER))).toEqual({
      hash: creation,
      creator: bob,
    });
    const [call] = await hashesOf('0x6');
    expect(await rpc.result('ots_getContractCreator', hex(made))).toEqual({
      hash: call,
      creator: hex(factory),
    });
    expect(await rpc.result('ots_getContractCreator', alice)).toBeNull();
    expect(await rpc.result('ots_hasCode', hex(made))).toBe(true);
    expect(await rpc.result('ots_hasCode', hex(made), '0x5')).toBe(false);
  });

  it('finds a transaction by its sender and nonce', async () => {
    const [first, , , last] = await hashesOf('0x2');
    expect(await rpc.result('ots_getTransactionBySenderAndNonce', alice, 0)).toBe(first);
    expect(await rpc.result('ots_getTransactionBySenderAndNonce', hex(ACCOUNTS[2]!), '0x1')).toBe(last);
    expect(await rpc.result('ots_getTransactionBySenderAndNonce', alice, 4)).toBeNull();
  });

  it('shows what a transaction did within', async () => {
    const [hash] = await hashesOf('0x6');
    expect(await rpc.result('ots_getInternalOperations', hash)).toEqual([
      { type: 2, from: hex(factory), to: hex(made), value: '0x0' },
      { type: 0, from: hex(factory), to: hex(FRIEND), value: '0x5' },
    ]);
    const frames = (await rpc.result('ots_traceTransaction', hash)) as { type: string; depth: number }[];
    expect(frames.map(({ type, depth }) => [type, depth])).toEqual([
      ['CALL', 0],
      ['CREATE', 1],
      ['CALL', 1],
    ]);
    expect(frames[0]).toMatchObject({
      from: alice,
      to: hex(factory),
      value: '0x9',
      input: '0x',
      output: '0x',
    });
  });

  it('gives the data of a revert', async () => {
    const [good, failed] = await hashesOf('0x2');
    expect(await rpc.result('ots_getTransactionError', failed)).toBe(hex(REVERT_DATA));
    expect(await rpc.result('ots_getTransactionError', good)).toBe('0x');
    expect(await rpc.result('ots_getTransactionError', `0x${'12'.repeat(32)}`)).toBeNull();
  });

  it('shows a block with its count and fees, by number and by hash', async () => {
    const details = (await rpc.result('ots_getBlockDetails', 2)) as {
      block: { hash: string };
      totalFees: string;
    };
    const receipts = (await rpc.result('eth_getBlockReceipts', '0x2')) as Record<string, string>[];
    const fees = receipts.reduce((sum, r) => sum + BigInt(r.gasUsed!) * BigInt(r.effectiveGasPrice!), 0n);
    expect(details).toMatchObject({
      block: { number: '0x2', transactionCount: 4, logsBloom: null },
      totalFees: `0x${fees.toString(16)}`,
    });
    expect(details.block).not.toHaveProperty('transactions');
    expect(await rpc.result('ots_getBlockDetailsByHash', details.block.hash)).toEqual(details);
    expect(await rpc.result('ots_getBlockDetails', 99)).toBeNull();
    expect(await rpc.result('ots_getBlockDetails', 0)).toMatchObject({ block: { transactionCount: 0 } });
  });

  it('pages through a block from its end', async () => {
    const page = async (number: number, size: number) =>
      (await rpc.result('ots_getBlockTransactions', 2, number, size)) as {
        fullblock: { transactions: { hash: string; input: string }[] };
        receipts: { transactionHash: string; logs: null }[];
      };
    const hashes = await hashesOf('0x2');
    const { fullblock, receipts } = await page(0, 3);
    expect(fullblock.transactions.map(({ hash }) => hash)).toEqual(hashes.slice(1));
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes.slice(1));
    expect(receipts[0]!.logs).toBeNull();
    expect(fullblock.transactions[2]!.input).toHaveLength(10);
    expect((await page(1, 3)).fullblock.transactions.map(({ hash }) => hash)).toEqual(hashes.slice(0, 1));
    expect((await page(2, 3)).receipts).toEqual([]);
    expect(await rpc.call('ots_getBlockTransactions', 2, 0, 1001)).toMatchObject({ error: { code: -32602 } });
  });

  it('searches the transactions of an account from both ends, internal calls included', async () => {
    interface Page {
      readonly txs: readonly { hash: string; blockNumber: string }[];
      readonly receipts: readonly { timestamp: number }[];
      readonly firstPage: boolean;
      readonly lastPage: boolean;
    }
    const search = async (way: 'Before' | 'After', block: number, size: number) =>
      (await rpc.result(`ots_searchTransactions${way}`, hex(FRIEND), block, size)) as Page;
    const [, , transfer] = await hashesOf('0x2');
    const [call] = await hashesOf('0x6');
    const newest = await search('Before', 0, 1);
    expect(newest).toMatchObject({ txs: [{ hash: call }], firstPage: true, lastPage: false });
    expect(newest.receipts[0]!.timestamp).toBeGreaterThan(0);
    const older = await search('Before', 6, 1);
    expect(older).toMatchObject({ txs: [{ hash: transfer }], firstPage: false, lastPage: false });
    expect(await search('Before', 2, 1)).toMatchObject({ txs: [], lastPage: true });
    expect(await search('After', 0, 9)).toMatchObject({
      txs: [{ hash: call }, { hash: transfer }],
      firstPage: true,
      lastPage: true,
    });
    expect(await search('After', 2, 9)).toMatchObject({
      txs: [{ hash: call }],
      firstPage: true,
      lastPage: false,
    });
    expect(await search('After', 0, 1)).toMatchObject({ txs: [{ hash: transfer }], firstPage: false });
    expect(await search('After', 99, 1)).toMatchObject({ txs: [] });
    const reverted = (await rpc.result('ots_searchTransactionsBefore', hex(REVERTER), 0, 9)) as Page;
    expect(reverted.txs.map(({ blockNumber }) => blockNumber)).toEqual(['0x2', '0x1']);
  });
});
