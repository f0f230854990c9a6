import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction } from '../../evm/index.ts';
import { bytesToBigint, decodeRlp, hexToBytes, type RlpItem, toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, growBlocks, word } from '../testTransactions.fixture.ts';

const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const raw = async (method: string, ...params: unknown[]) =>
  hexToBytes((await rpc.result(method, ...params)) as string);
const hashes = (height: number) =>
  records[height - 1]!.receipts.map(({ transactionHash }) => transactionHash);

describe('raw forms', () => {
  it('a header has the fields of the block object in the order of Ethereum', async () => {
    const header = decodeRlp(await raw('debug_getRawHeader', '0x2')) as Uint8Array[];
    const block = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as Record<string, string>;
    expect(header).toHaveLength(16);
    expect(toHexData(header[0]!)).toBe(block.parentHash);
    expect(toHexData(header[3]!)).toBe(block.stateRoot);
    expect(bytesToBigint(header[8]!)).toBe(2n);
    expect(bytesToBigint(header[10]!)).toBe(BigInt(block.gasUsed!));
    expect(bytesToBigint(header[15]!)).toBe(BigInt(block.baseFeePerGas!));
  });

  it('a block has its header and its transactions, typed ones as strings', async () => {
    const [header, transactions, uncles] = decodeRlp(await raw('debug_getRawBlock', '0x2')) as RlpItem[][];
    expect(header).toEqual(decodeRlp(await raw('debug_getRawHeader', '0x2')));
    expect(uncles).toEqual([]);
    expect(transactions!.map((item) => item instanceof Uint8Array)).toEqual([true, true, false, true]);
    for (const i of [0, 1, 3]) {
      expect(decodeTransaction(transactions![i] as Uint8Array).hash).toEqual(hashes(2)[i]);
    }
  });

  it('receipts have type, status, gas and logs', async () => {
    const receipts = (await rpc.result('debug_getRawReceipts', '0x2')) as string[];
    expect(receipts.map((receipt) => receipt.slice(0, 4))).toEqual(['0x02', '0x02', '0xf9', '0x01']);
    const [status, gas, bloom, logs] = decodeRlp(hexToBytes(receipts[3]!).subarray(1)) as Uint8Array[];
    expect(toHexData(status!)).toBe('0x01');
    expect(bytesToBigint(gas!)).toBe(records[1]!.receipts[3]!.cumulativeGasUsed);
    expect(bloom).toHaveLength(256);
    expect(plain(logs!)).toEqual(plain([[COUNTER, [word(1)], word(2)]]));
    const [failed] = decodeRlp(hexToBytes(receipts[1]!).subarray(1)) as Uint8Array[];
    expect(failed).toHaveLength(0);
  });

  it('a transaction has its signed bytes, by hash and by place', async () => {
    for (const [i, hash] of hashes(2).entries()) {
      const bytes = toHexData(await raw('debug_getRawTransaction', toHexData(hash)));
      expect(decodeTransaction(hexToBytes(bytes)).hash).toEqual(hash);
      expect(await rpc.result('eth_getRawTransactionByHash', toHexData(hash))).toBe(bytes);
      const index = `0x${i}`;
      expect(await rpc.result('eth_getRawTransactionByBlockNumberAndIndex', '0x2', index)).toBe(bytes);
      const blockHash = toHexData(records[1]!.block.id.hash);
      expect(await rpc.result('eth_getRawTransactionByBlockHashAndIndex', blockHash, index)).toBe(bytes);
    }
  });

  it('do not exist for what is not there', async () => {
    for (const method of ['debug_getRawBlock', 'debug_getRawHeader', 'debug_getRawReceipts']) {
      const error = { code: -32000, message: 'block not found' };
      expect((await rpc.call(method, '0x99')).error).toEqual(error);
      expect((await rpc.call(method, UNKNOWN_HASH)).error).toEqual(error);
    }
    expect((await rpc.call('debug_getRawTransaction', UNKNOWN_HASH)).error).toMatchObject({ code: -32000 });
    expect(await rpc.result('eth_getRawTransactionByBlockNumberAndIndex', '0x2', '0x9')).toBeNull();
    expect(await rpc.result('debug_getRawReceipts', 'earliest')).toEqual([]);
  });
});

describe('headers and uncles', () => {
  it('a header is the block without transactions, uncles, size and total difficulty', async () => {
    for (const id of ['0x2', '0x0', 'latest']) {
      const block = (await rpc.result('eth_getBlockByNumber', id, false)) as Record<string, unknown>;
      const { size: _1, totalDifficulty: _2, transactions: _3, uncles: _4, ...rest } = block;
      expect(await rpc.result('eth_getHeaderByNumber', id)).toEqual(rest);
      if (id !== '0x0') expect(await rpc.result('eth_getHeaderByHash', block.hash)).toEqual(rest);
    }
    expect(await rpc.result('eth_getHeaderByNumber', '0x99')).toBeNull();
    expect(await rpc.result('eth_getHeaderByHash', UNKNOWN_HASH)).toBeNull();
  });

  it('no block has uncles', async () => {
    expect(await rpc.result('eth_getUncleCountByBlockNumber', '0x2')).toBe('0x0');
    expect(await rpc.result('eth_getUncleCountByBlockHash', UNKNOWN_HASH)).toBeNull();
    expect(await rpc.result('eth_getUncleByBlockNumberAndIndex', '0x2', '0x0')).toBeNull();
    expect(await rpc.result('eth_getUncleByBlockHashAndIndex', UNKNOWN_HASH, '0x0')).toBeNull();
  });
});

function plain(item: RlpItem): unknown {
  return item instanceof Uint8Array ? toHexData(item) : item.map(plain);
}
