import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrapEvmTransaction } from '../../evm/index.ts';
import { bytesToHex, sha256, toBech32, toChecksumAddress, toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, CHAIN_ADDRESSES, FRIEND, growBlocks, sign } from '../testTransactions.fixture.ts';

const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const alice = toHexData(ACCOUNTS[0]!);

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const transactionHash = (height: number, index: number) =>
  toHexData(records[height - 1]!.receipts[index]!.transactionHash);
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;

describe('legacy methods', () => {
  it('resolve addresses and carry the deprecation header', async () => {
    const body = { jsonrpc: '2.0', id: 'x', method: 'chain_getChainAddress', params: [alice] };
    const answer = await rpc.post(JSON.stringify(body));
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 'x', result: toBech32(CHAIN_ADDRESSES[0]!) });
    expect(answer.headers.get('Chain-Legacy-RPC-Deprecation')).toMatch(/chain_\* and chain2_\*.*eth_\*/);
    expect(await rpc.result('chain_getEVMAddress', toBech32(CHAIN_ADDRESSES[0]!))).toBe(
      toChecksumAddress(ACCOUNTS[0]!),
    );
    expect(await errorOf('chain_getChainAddress', toHexData(FRIEND))).toMatchObject({ code: -32000 });
    expect(await errorOf('chain_getEVMAddress', 'nonsense')).toMatchObject({ code: -32000 });
  });

  it('give the ledger transaction of an EVM transaction', async () => {
    const raw = records[1]!.block.txs[2]!;
    expect(await rpc.result('chain_getLedgerTx', transactionHash(2, 2))).toMatchObject({
      hash: bytesToHex(sha256(raw)).toUpperCase(),
      height: '2',
      index: 2,
      code: 0,
      raw: bytesToHex(raw),
    });
    expect(await errorOf('chain_getLedgerTx', UNKNOWN_HASH)).toEqual({
      code: -32000,
      message: 'transaction not found',
    });
    expect(wrapEvmTransaction(sign(2, { type: 0, to: FRIEND, value: 1000n }))).toEqual(new Uint8Array(raw));
  });

  it('that are not enabled answer the gate error, without the header, readable for a browser', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'chain2_getBlockByNumber' });
    const answer = await rpc.post(body, { origin: 'https://app.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Chain-Legacy-RPC-Deprecation')).toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: {
        code: -32601,
        data: 'legacy_chain_deprecated',
        message: expect.stringMatching(/^chain2_getBlockByNumber is not enabled.*deprecated.*app\.toml/),
      },
    });
  });
});
