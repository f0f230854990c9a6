import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, sha256, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { GENESIS_HASH, openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, FRIEND, growBlocks, word } from '../testTransactions.fixture.ts';
import {
  BANK,
  BOTH,
  LEDGER_GAS,
  POINTER,
  SHELL,
  TEST_LEDGER,
  withLedgerEntries,
} from './ledgerEntries.fixture.ts';
import { LEGACY_METHODS } from './legacyMethods.ts';

const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const NOT_EVM = {
  code: -32000,
  message:
    'transaction is not an EVM transaction and thus cannot be represented in _getTransaction* endpoints',
};
const ledgerHash = (raw: Uint8Array) => toHexData(sha256(raw));

let rpc: RpcFixture;
/** As the EVM made them; history has ledger entries in block 2. */
let records: BlockRecord[];
let evm: string[];
beforeAll(async () => {
  rpc = await openRpcFixture({
    legacyMethods: LEGACY_METHODS,
    ledgerSource: TEST_LEDGER,
    recorded: withLedgerEntries,
  });
  records = await growBlocks(rpc);
  evm = records[1]!.receipts.map(({ transactionHash }) => toHexData(transactionHash));
});
afterAll(() => rpc.close());

type Json = Record<string, unknown>;
const block = async (method: string, id: string, full = false) =>
  (await rpc.result(method, id, full)) as Json & { transactions: unknown[] };
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;
const hash2 = () => toHexData(records[1]!.block.id.hash);
const evmGas = () => records[1]!.receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
const indexes = (logs: unknown) =>
  (logs as Json[]).map(({ transactionIndex, logIndex }) => `${Number(transactionIndex)}/${Number(logIndex)}`);

describe('eth_ methods beside ledger entries', () => {
  it('list and count the EVM transactions alone', async () => {
    expect((await block('eth_getBlockByNumber', '0x2')).transactions).toEqual(evm);
    expect(await rpc.result('eth_getBlockTransactionCountByNumber', '0x2')).toBe('0x4');
    expect(await rpc.result('eth_getTransactionByBlockNumberAndIndex', '0x2', '0x1')).toMatchObject({
      hash: evm[1],
      transactionIndex: '0x1',
    });
    expect(await rpc.result('eth_getTransactionReceipt', evm[3])).toMatchObject({ transactionIndex: '0x3' });
    expect(await rpc.result('eth_getTransactionByHash', evm[3])).toMatchObject({ transactionIndex: '0x3' });
    expect(await rpc.result('eth_getTransactionReceipt', ledgerHash(SHELL))).toBeNull();
    expect(await rpc.result('eth_getTransactionByHash', ledgerHash(SHELL))).toBeNull();
    const logs = await rpc.result('eth_getLogs', { fromBlock: '0x2', toBlock: '0x2' });
    expect(indexes(logs)).toEqual(['0/0', '3/1']);
    const receipts = (await rpc.result('eth_getBlockReceipts', '0x2')) as { logs: Json[] }[];
    expect(receipts.flatMap((receipt) => receipt.logs)).toEqual(logs);
  });
});

describe('chain_ block queries', () => {
  const list = () => [evm[0], ledgerHash(SHELL), evm[1], evm[2], evm[3], ledgerHash(BOTH)];

  it('list synthetic transactions in ledger order, by number and by hash', async () => {
    const byNumber = await block('chain_getBlockByNumber', '0x2');
    expect(byNumber.transactions).toEqual(list());
    expect(await block('chain_getBlockByHash', hash2())).toEqual(byNumber);
    const plain = await block('eth_getBlockByNumber', '0x2');
    expect(byNumber.gasUsed).toBe(toHexQuantity(evmGas() + 2n * LEDGER_GAS));
    expect(byNumber.logsBloom).not.toBe(plain.logsBloom);
    const { transactions, gasUsed, logsBloom, ...rest } = byNumber;
    expect(plain).toMatchObject(rest);
    expect(await rpc.result('chain_getBlockTransactionCountByNumber', '0x2')).toBe('0x6');
    expect(await rpc.result('chain_getBlockTransactionCountByHash', hash2())).toBe('0x6');
  });

  it('show a synthetic transaction with what it has', async () => {
    const { transactions } = await block('chain_getBlockByNumber', '0x2', true);
    expect(transactions[1]).toEqual({
      blockHash: hash2(),
      blockNumber: '0x2',
      blockTimestamp: toHexQuantity(records[1]!.block.header.time.seconds),
      from: toHexData(ACCOUNTS[2]!),
      gas: '0x0',
      gasPrice: null,
      hash: ledgerHash(SHELL),
      input: toHexData(SHELL),
      nonce: '0x0',
      to: toHexData(POINTER),
      transactionIndex: '0x1',
      value: null,
      type: '0x0',
      v: null,
      r: null,
      s: null,
    });
    expect(transactions[2]).toMatchObject({ hash: evm[1], transactionIndex: '0x2' });
  });

  it('give receipts of both kinds, numbered through', async () => {
    const receipts = (await rpc.result('chain_getBlockReceipts', hash2())) as (Json & { logs: Json[] })[];
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(list());
    expect(receipts.map(({ transactionIndex }) => Number(transactionIndex))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    expect(receipts[1]).toMatchObject({
      type: '0xffffffff',
      effectiveGasPrice: '0x0',
      contractAddress: null,
    });
    expect(receipts[1]).not.toHaveProperty('to');
    expect(receipts[0]).toHaveProperty('to', toHexData(COUNTER));
    expect(await rpc.result('chain_getTransactionReceipt', ledgerHash(SHELL))).toEqual(receipts[1]);
    expect(await rpc.result('chain_getTransactionReceipt', evm[1])).toEqual(receipts[2]);
    expect(await rpc.result('chain_getTransactionReceipt', UNKNOWN_HASH)).toBeNull();
  });

  it('leave out what no trace has', async () => {
    for (const namespace of ['chain', 'chain2']) {
      const { transactions } = await block(`${namespace}_getBlockByNumberExcludeTraceFail`, '0x2');
      expect(transactions.filter((hash) => evm.includes(String(hash)))).toEqual(evm);
      expect(transactions).not.toContain(ledgerHash(SHELL));
      expect((await block(`${namespace}_getBlockByHashExcludeTraceFail`, hash2())).transactions).toEqual(
        transactions,
      );
    }
    const receipt = await rpc.result('chain_getTransactionReceiptExcludeTraceFail', evm[0]);
    expect(receipt).toEqual(await rpc.result('chain_getTransactionReceipt', evm[0]));
    expect(await errorOf('chain_getTransactionReceiptExcludeTraceFail', ledgerHash(SHELL))).toEqual({
      code: -32000,
      message: 'transaction is panic tx',
    });
    expect(await errorOf('chain_getTransactionReceiptExcludeTraceFail', UNKNOWN_HASH)).toEqual({
      code: -32000,
      message: 'failed to check if tx is panic tx: receipt not found',
    });
  });

  it('trace a block without what cannot be traced', async () => {
    const config = { tracer: 'callTracer' };
    const traces = await rpc.result('chain_traceBlockByNumberExcludeTraceFail', '0x4', config);
    expect(traces).toEqual(await rpc.result('debug_traceBlockByNumber', '0x4', config));
    const hash = toHexData(records[3]!.block.id.hash);
    expect(await rpc.result('chain_traceBlockByHashExcludeTraceFail', hash, config)).toEqual(traces);
    const all = (await rpc.result('debug_traceBlockByNumber', '0x2', config)) as Json[];
    const some = (await rpc.result('chain_traceBlockByNumberExcludeTraceFail', '0x2', config)) as Json[];
    expect(some).toEqual(all.filter((entry) => !('error' in entry)));
  });

  it.each(['chain', 'chain2'])('of %s know block 0, and blocks that are not there', async (namespace) => {
    for (const suffix of ['', 'ExcludeTraceFail']) {
      const genesis = await rpc.result(`${namespace}_getBlockByNumber${suffix}`, '0x0', true);
      expect(genesis).toMatchObject({ hash: toHexData(GENESIS_HASH), transactions: [] });
      expect(await rpc.result(`${namespace}_getBlockByNumber${suffix}`, '0xffff', false)).toBeNull();
      expect(await rpc.result(`${namespace}_getBlockByHash${suffix}`, UNKNOWN_HASH, false)).toBeNull();
    }
    expect(await rpc.result(`${namespace}_getBlockReceipts`, '0x0')).toEqual([]);
    expect(await rpc.result(`${namespace}_getBlockReceipts`, '0xffff')).toBeNull();
    expect(await rpc.result(`${namespace}_getBlockTransactionCountByNumber`, '0x0')).toBe('0x0');
    expect(await rpc.result(`${namespace}_getBlockTransactionCountByHash`, UNKNOWN_HASH)).toBeNull();
  });
});

describe('chain_ transaction queries', () => {
  it('count through the larger list, and refuse what the EVM did not run', async () => {
    const at = (index: string) => rpc.call('chain_getTransactionByBlockNumberAndIndex', '0x2', index);
    expect((await at('0x2')).result).toMatchObject({ hash: evm[1], transactionIndex: '0x2' });
    expect((await at('0x1')).error).toEqual(NOT_EVM);
    expect((await at('0x6')).result).toBeNull();
    expect((await at('0x100000000')).error).toEqual({ code: -32000, message: 'invalid tx index' });
    const byHash = await rpc.call('chain_getTransactionByBlockHashAndIndex', hash2(), '0x2');
    expect(byHash.result).toEqual((await at('0x2')).result);
    expect(await rpc.result('chain_getTransactionByHash', evm[1])).toEqual(byHash.result);
    expect(await errorOf('chain_getTransactionByHash', ledgerHash(SHELL))).toEqual(NOT_EVM);
    expect(await rpc.result('chain_getTransactionByHash', UNKNOWN_HASH)).toBeNull();
    const account = toHexData(ACCOUNTS[0]!);
    expect(await rpc.result('chain_getTransactionCount', account, 'latest')).toBe(
      await rpc.result('eth_getTransactionCount', account, 'latest'),
    );
  });

  it('say why a transaction failed', async () => {
    for (const method of ['chain_getVMError', 'chain_getTransactionErrorByHash']) {
      expect(await rpc.result(method, evm[1])).toBe('execution reverted');
      expect(await rpc.result(method, evm[0])).toBe('');
    }
    expect(await rpc.result('chain_getTransactionErrorByHash', UNKNOWN_HASH)).toBe('');
    expect(await errorOf('chain_getVMError', UNKNOWN_HASH)).toEqual({
      code: -32000,
      message: 'receipt not found',
    });
  });

  it('find the EVM transaction of a ledger transaction, and the other way round', async () => {
    const { hash } = (await rpc.result('chain_getLedgerTx', evm[2])) as { hash: string };
    expect(await rpc.result('chain_getEvmTx', hash)).toBe(evm[2]);
    expect(await rpc.result('chain_getEvmTx', hash.toLowerCase())).toBe(evm[2]);
    const failure = async (text: string) => (await errorOf('chain_getEvmTx', text))?.message;
    expect(await failure(`0x${hash}`)).toBe(
      "failed to decode ledger hash: encoding/hex: invalid byte: U+0078 'x'",
    );
    expect(await failure('abc')).toBe('failed to decode ledger hash: encoding/hex: odd length hex string');
    expect(await failure('ab')).toBe('tx (AB) not found');
    expect(await failure(bytesToHex(sha256(BANK)))).toBe('transaction not found');
    expect(await rpc.result('chain_getLedgerTx', ledgerHash(SHELL))).toMatchObject({
      hash: ledgerHash(SHELL).slice(2).toUpperCase(),
      index: 1,
      log: 'of the ledger',
      raw: bytesToHex(SHELL),
    });
  });

  it('sign nothing, and hand associations to the mempool', async () => {
    expect(await errorOf('chain_sign', toHexData(ACCOUNTS[0]!), '0x12')).toEqual({
      code: -32000,
      message: 'address does not have hosted key',
    });
    const request = { v: '0x1b', r: '0x1', s: `0x${'11'.repeat(32)}`, custom_message: 'hello' };
    expect(await errorOf('chain_associate', request)).toMatchObject({ code: -32000 });
    expect(await errorOf('chain_associate', { ...request, custom_message: 'x'.repeat(65) })).toMatchObject({
      message: 'custom message can have at most 64 characters',
    });
    expect(await errorOf('chain_associate', { ...request, r: 5 })).toMatchObject({ code: -32602 });
  });
});

describe('chain_ logs and filters', () => {
  const range = { fromBlock: '0x2', toBlock: '0x2' };

  it('include synthetic logs, which eth_ does not give', async () => {
    const logs = await rpc.result('chain_getLogs', range);
    expect(indexes(logs)).toEqual(['0/0', '1/1', '1/2', '4/3', '5/4', '5/5']);
    expect(await rpc.result('chain_getLogs', { blockHash: hash2() })).toEqual(logs);
    const ofPointer = { ...range, address: toHexData(POINTER), topics: [toHexData(word(2))] };
    expect(indexes(await rpc.result('chain_getLogs', ofPointer))).toEqual(['1/2', '5/5']);
    expect(await rpc.result('eth_getLogs', ofPointer)).toEqual([]);
    const filter = await rpc.result('chain_newFilter', range);
    expect(await rpc.result('chain_getFilterLogs', filter)).toEqual(logs);
    expect(await rpc.result('chain_getFilterChanges', filter)).toEqual(logs);
    expect(await rpc.result('chain_getFilterChanges', filter)).toEqual([]);
  });

  it('have filters of their own', async () => {
    const missing = { code: -32000, message: 'filter does not exist' };
    const ours = await rpc.result('chain_newBlockFilter');
    const theirs = await rpc.result('eth_newFilter', {});
    expect(await errorOf('eth_getFilterChanges', ours)).toEqual(missing);
    expect(await errorOf('chain_getFilterChanges', theirs)).toEqual(missing);
    expect(await errorOf('chain_getFilterLogs', theirs)).toEqual(missing);
    expect(await rpc.result('chain_uninstallFilter', theirs)).toBe(false);
    expect(await rpc.result('chain_getFilterChanges', ours)).toEqual([]);
    expect(await rpc.result('chain_uninstallFilter', ours)).toBe(true);
    expect(await rpc.result('eth_uninstallFilter', theirs)).toBe(true);
  });
});

describe('chain2_ block queries', () => {
  it('list bank transfers too, once', async () => {
    const list = [evm[0], ledgerHash(SHELL), evm[1], ledgerHash(BANK), ledgerHash(BANK), evm[2], evm[3]];
    const byNumber = await block('chain2_getBlockByNumber', '0x2');
    expect(byNumber.transactions).toEqual([...list, ledgerHash(BOTH)]);
    expect(await block('chain2_getBlockByHash', hash2())).toEqual(byNumber);
    expect(byNumber.gasUsed).toBe(toHexQuantity(evmGas() + 4n * LEDGER_GAS));
    expect(await rpc.result('chain2_getBlockTransactionCountByNumber', '0x2')).toBe('0x8');
    expect(await rpc.result('chain2_getBlockTransactionCountByHash', hash2())).toBe('0x8');
    const { transactions } = await block('chain2_getBlockByNumber', '0x2', true);
    expect(transactions.slice(3, 5)).toMatchObject(
      [1n, 2n].map((units, i) => ({
        from: toHexData(ACCOUNTS[0]!),
        to: toHexData(FRIEND),
        value: toHexQuantity(units * 10n ** 12n),
        transactionIndex: toHexQuantity(3 + i),
        input: '0x',
        gas: '0x0',
        gasPrice: null,
      })),
    );
    expect(transactions[7]).toMatchObject({ value: null, input: toHexData(BOTH) });
  });

  it('list a transfer as such where its synthetic entry is left out', async () => {
    const { transactions } = await block('chain2_getBlockByNumberExcludeTraceFail', '0x2', true);
    expect(transactions).toHaveLength(7);
    expect(transactions[6]).toMatchObject({ hash: ledgerHash(BOTH), value: toHexQuantity(10n ** 12n) });
  });

  it('give the receipts of EVM and synthetic transactions', async () => {
    const receipts = (await rpc.result('chain2_getBlockReceipts', '0x2')) as Json[];
    expect(receipts).toHaveLength(6);
    expect(receipts.map(({ transactionIndex }) => Number(transactionIndex))).toEqual([0, 1, 2, 5, 6, 7]);
  });
});
