import { once } from 'node:events';
import { parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  EVM_CHAIN_ID,
  GWEI,
  growBlocks,
  KEYS,
  sign,
  word,
} from '../testTransactions.fixture.ts';

const [alice, bob] = ACCOUNTS.map(toHexData);
const counter = toHexData(COUNTER);

let rpc: RpcFixture;
beforeAll(async () => {
  rpc = await openRpcFixture({ legacyMethods: ['chain_getLogs'], dispatch: { denied: ['debug_traceCall'] } });
  await growBlocks(rpc);
});
afterAll(() => rpc.close());

interface Document {
  readonly methods: readonly { readonly name: string }[];
}

async function overWebSocket(method: string): Promise<unknown> {
  const socket = new WebSocket(rpc.wsUrl);
  await once(socket, 'open');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method }));
  const [{ data }] = (await once(socket, 'message')) as [{ readonly data: string }];
  socket.close();
  return (JSON.parse(data) as { result: unknown }).result;
}

describe('what a node says that it offers', () => {
  it('is what the gate, the deny list and the transport let through', async () => {
    const namesOf = (document: unknown) => (document as Document).methods.map(({ name }) => name);
    const overHttp = namesOf(await rpc.result('rpc_discover'));
    expect(overHttp.filter((name) => name.startsWith('chain'))).toEqual(['chain_getLogs']);
    expect(overHttp).not.toContain('debug_traceCall');
    expect(overHttp).not.toContain('eth_subscribe');
    expect(namesOf(await overWebSocket('rpc_discover')).sort()).toEqual(
      [...overHttp, 'eth_subscribe', 'eth_unsubscribe'].sort(),
    );
    expect(await rpc.result('rpc_modules')).not.toHaveProperty('chain2');
    for (const name of overHttp) {
      const { error } = await rpc.call(name);
      expect(error?.code, name).not.toBe(-32601);
    }
  });
});

describe('eth_fillTransaction', () => {
  it('fills in what is open, and gives what a wallet signs', async () => {
    const { raw, tx } = (await rpc.result('eth_fillTransaction', { from: alice, to: bob, value: '0x5' })) as {
      raw: `0x${string}`;
      tx: Record<string, string>;
    };
    const parsed = parseTransaction(raw);
    expect(parsed).toMatchObject({ type: 'eip1559', chainId: Number(EVM_CHAIN_ID), to: bob, value: 5n });
    expect(parsed.gas).toBe(21_000n);
    expect(BigInt(tx.maxFeePerGas!)).toBe(parsed.maxFeePerGas);
    expect(tx).toMatchObject({
      from: alice,
      gas: '0x5208',
      type: '0x2',
      value: '0x5',
      input: '0x',
      accessList: [],
      nonce: await rpc.result('eth_getTransactionCount', alice, 'pending'),
    });
    expect(tx).not.toHaveProperty('hash');
  });

  it('leaves what is named, and refuses what can be none', async () => {
    const named = { from: alice, to: counter, gas: '0x30d40', gasPrice: '0x3b9aca000', nonce: '0x7' };
    expect(await rpc.result('eth_fillTransaction', named)).toMatchObject({ tx: { ...named, type: '0x0' } });
    expect(await rpc.result('eth_fillTransaction', { from: alice })).toMatchObject({
      code: -32000,
      message: 'contract creation without any data provided',
    });
  });
});

describe('eth_sendRawTransactionSync', () => {
  it('gives the receipt once a block holds the transaction', async () => {
    const transaction = sign(0, { nonce: 2n, to: ACCOUNTS[1]!, value: 1n, gasLimit: 21_000n });
    const answer = rpc.result('eth_sendRawTransactionSync', toHexData(transaction.raw));
    await expect
      .poll(() => rpc.result('eth_getTransactionByHash', toHexData(transaction.hash)))
      .not.toBeNull();
    await rpc.block(transaction);
    expect(await answer).toEqual(await rpc.result('eth_getTransactionReceipt', toHexData(transaction.hash)));
    expect(await answer).toMatchObject({ status: '0x1', from: alice });
  });

  it('says so when no block takes it in time, and refuses what cannot wait', async () => {
    const transaction = sign(0, { nonce: 9n, to: ACCOUNTS[1]!, gasLimit: 21_000n });
    const { error } = await rpc.call('eth_sendRawTransactionSync', toHexData(transaction.raw), '0x5');
    expect(error).toEqual({
      code: 4,
      message: 'the transaction was added to the mempool but no block took it in 5 ms',
      data: toHexData(transaction.hash),
    });
    expect((await rpc.call('eth_sendRawTransactionSync', '0x05c0')).error?.code).toBe(-32000);
    expect((await rpc.call('eth_sendRawTransactionSync', '0x05c0', -1)).error?.code).toBe(-32602);
  });
});

describe('blob transactions', () => {
  const blobs = { maxFeePerBlobGas: '0x1', blobVersionedHashes: [`0x01${'ab'.repeat(31)}`] } as const;

  it('are refused by name, with a sidecar or without, and wherever they are to be made', async () => {
    const account = privateKeyToAccount(toHexData(KEYS[0]!) as `0x${string}`);
    const signed = await account.signTransaction({
      type: 'eip4844',
      chainId: Number(EVM_CHAIN_ID),
      nonce: 2,
      gas: 21_000n,
      to: bob as `0x${string}`,
      maxFeePerGas: 20n * GWEI,
      maxPriorityFeePerGas: GWEI,
      maxFeePerBlobGas: 1n,
      blobVersionedHashes: blobs.blobVersionedHashes,
    });
    const wrapped = `0x03${signed.slice(4)}c0c0c0`;
    for (const raw of [signed, wrapped]) {
      expect((await rpc.call('eth_sendRawTransaction', raw)).error).toEqual({
        code: -32000,
        message: expect.stringMatching(/^unsupported transaction type: .* takes no blob transactions/),
      });
    }
    expect((await rpc.call('eth_fillTransaction', { from: alice, to: bob, ...blobs })).error).toMatchObject({
      message: expect.stringMatching(/^unsupported transaction type/),
    });
  });

  it('have no hash in a call, and cost one wei', async () => {
    // BLOBHASH(0) and BLOBBASEFEE, as creation code that returns them.
    const data = '0x5f495f524a60205260405ff3';
    expect(await rpc.result('eth_call', { from: alice, data, ...blobs })).toBe(
      `0x${'0'.repeat(64)}${'1'.padStart(64, '0')}`,
    );
    expect(await rpc.result('eth_blobBaseFee')).toBe('0x1');
  });
});

describe('the node', () => {
  it('gives several storage words at once', async () => {
    const name = counter.toUpperCase().replace('0X', '0x');
    const asked = { [name]: ['0x0', '0x1'], [alice!]: [] };
    const [value] = [await rpc.result('eth_getStorageAt', counter, '0x0', 'latest')];
    expect(await rpc.result('eth_getStorageValues', asked)).toEqual({
      [name]: [value, toHexData(word(0))],
      [alice!]: [],
    });
    const many = { [counter]: Array(1000).fill('0x0'), [alice!]: Array(25).fill('0x0') };
    expect(await rpc.result('eth_getStorageValues', many)).toMatchObject({
      message: 'too many storage keys: got 1025, max 1024',
    });
  });

  it('tells its rules, and the oldest block of each kind of data', async () => {
    const { current } = (await rpc.result('eth_config')) as { current: Record<string, object> };
    expect(current.chainId).toBe('0xae3f2');
    expect(current.precompiles).toMatchObject({
      ECREC: `0x${'1'.padStart(40, '0')}`,
      BLS12_MAP_FP2_TO_G2: `0x${'11'.padStart(40, '0')}`,
      CHAIN_ADDRESS: `0x${'1004'.padStart(40, '0')}`,
    });
    const [history] = Object.values(current.systemContracts!);
    expect(await rpc.result('eth_getCode', history, 'latest')).not.toBe('0x');
    await rpc.prune({ state: 3, blocks: 2 });
    expect(await rpc.result('eth_capabilities')).toMatchObject({
      head: { number: await rpc.result('eth_blockNumber') },
      state: { disabled: false, oldestBlock: '0x3' },
      receipts: { oldestBlock: '0x2' },
    });
  });
});
