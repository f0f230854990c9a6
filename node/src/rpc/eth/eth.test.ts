import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { GENESIS_HASH, openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  COUNTER_CODE,
  FRIEND,
  GWEI,
  growBlocks,
  REVERT_DATA,
  REVERTER,
  SILENT_REVERTER,
  sign,
  word,
} from '../testTransactions.fixture.ts';

const ZERO_HASH = `0x${'00'.repeat(32)}`;
const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const TAGS = ['latest', 'safe', 'finalized', 'pending'];
const [alice, bob] = ACCOUNTS.map(toHexData);
const counter = toHexData(COUNTER);

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

const hashOf = (height: number) => toHexData(records[height - 1]!.block.id.hash);
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;

describe('state', () => {
  it('is read at numbers, tags and hashes', async () => {
    const slot = (block: unknown) => rpc.result('eth_getStorageAt', counter, '0x0', block);
    expect(await slot('0x1')).toBe(ZERO_HASH);
    expect(await slot('0x2')).toBe(toHexData(word(2)));
    expect(await slot({ blockHash: hashOf(2) })).toBe(toHexData(word(2)));
    expect(await slot(hashOf(4))).toBe(toHexData(word(4)));
    for (const tag of TAGS) expect(await slot(tag)).toBe(toHexData(word(4)));
    for (const id of ['earliest', '0x0', toHexData(GENESIS_HASH)]) expect(await slot(id)).toBe(ZERO_HASH);
  });

  it('gives balances, nonces and code', async () => {
    expect(await rpc.result('eth_getBalance', toHexData(FRIEND), 'latest')).toBe('0x3e8');
    expect(await rpc.result('eth_getBalance', toHexData(FRIEND), '0x1')).toBe('0x0');
    expect(await rpc.result('eth_getTransactionCount', bob, '0x1')).toBe('0x3');
    expect(await rpc.result('eth_getTransactionCount', bob, 'latest')).toBe('0x5');
    expect(await rpc.result('eth_getCode', counter, 'latest')).toBe(toHexData(COUNTER_CODE));
    expect(await rpc.result('eth_getCode', alice, 'latest')).toBe('0x');
  });

  it('is an error where there is no such block', async () => {
    expect(await errorOf('eth_getBalance', alice, '0x9')).toEqual({
      code: -32000,
      message: 'requested height 9 is not yet available; safe latest is 4',
    });
    expect(await errorOf('eth_getCode', alice, UNKNOWN_HASH)).toEqual({
      code: -32000,
      message: `could not find block for hash ${'12'.repeat(32)}`,
    });
    expect(await errorOf('eth_call', { to: counter }, '0x9')).toMatchObject({ code: -32000 });
  });
});

describe('simulation', () => {
  it('calls on the state of the block asked for', async () => {
    const sum = (block?: string) => rpc.result('eth_call', { to: counter }, block);
    expect(await sum('0x1')).toBe(toHexData(word(1)));
    expect(await sum()).toBe(toHexData(word(5)));
    expect(await rpc.result('eth_call', { to: alice }, null)).toBe('0x');
  });

  it('maps reverts with data, without, and other failures', async () => {
    expect(await errorOf('eth_call', { to: toHexData(REVERTER) })).toEqual({
      code: 3,
      message: 'execution reverted: no luck',
      data: toHexData(REVERT_DATA),
    });
    expect(await errorOf('eth_call', { to: toHexData(SILENT_REVERTER) })).toEqual({
      code: -32000,
      message: 'execution reverted',
    });
    expect(await errorOf('eth_call', { data: '0xfe' })).toMatchObject({ code: -32000 });
    expect(await errorOf('eth_call', { to: counter, gas: '0x5208' })).toMatchObject({
      code: -32000,
      message: 'out of gas',
    });
    expect(await errorOf('eth_call', { to: counter, gas: '0x1' })).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^err: intrinsic gas too low: have 1, want 21000 \(supplied gas 1\)$/),
    });
  });

  it('estimates gas; a revert has code 3 also without data', async () => {
    expect(await rpc.result('eth_estimateGas', { from: alice, to: bob, value: '0x1' })).toBe('0x5208');
    expect(await errorOf('eth_estimateGas', { to: toHexData(SILENT_REVERTER) })).toEqual({
      code: 3,
      message: 'execution reverted',
      data: '0x',
    });
  });

  it('lists what a call touches, and the gas with that list', async () => {
    const list = (await rpc.result('eth_createAccessList', { from: alice, to: counter })) as {
      accessList: unknown[];
      gasUsed: string;
    };
    expect(list.accessList).toEqual([{ address: counter, storageKeys: [ZERO_HASH] }]);
    const listed = { from: alice, to: counter, accessList: list.accessList, gas: list.gasUsed };
    expect(await rpc.result('eth_call', listed)).toBe(toHexData(word(5)));
    expect(await rpc.result('eth_createAccessList', { from: alice, to: bob })).toEqual({
      accessList: [],
      gasUsed: '0x5208',
    });
    expect(await rpc.result('eth_createAccessList', { to: toHexData(REVERTER) }, 'latest')).toMatchObject({
      error: 'execution reverted: no luck',
      accessList: [],
    });
  });

  it('takes overrides within limits, the chain id of this chain, and four arguments', async () => {
    const state = { [counter]: { stateDiff: { [ZERO_HASH]: toHexData(word(41)) } } };
    expect(await rpc.result('eth_call', { to: counter }, 'latest', state)).toBe(toHexData(word(42)));
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_, i) => [toHexData(new Uint8Array(20).fill(i)), {}]),
    );
    expect(await errorOf('eth_call', { to: counter }, 'latest', many)).toMatchObject({
      message: 'too many overridden accounts: got 101, max 100',
    });
    expect(await errorOf('eth_call', { to: counter, chainId: '0x1' })).toMatchObject({
      message: "chainId does not match node's (have=1, want=713714)",
    });
    expect(await errorOf('eth_call', {}, 'latest', {}, {}, {})).toEqual({
      code: -32602,
      message: 'too many arguments, want at most 4',
    });
  });
});

describe('the node', () => {
  it.each([
    ['eth_blockNumber', '0x4'],
    ['eth_chainId', '0xae3f2'],
    ['net_version', '713714'],
    ['eth_accounts', []],
    ['eth_coinbase', '0x27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f'],
    ['eth_syncing', false],
    ['net_listening', true],
    ['net_peerCount', '0x0'],
    ['web3_clientVersion', 'chaind/test'],
    [
      'rpc_modules',
      {
        debug: '1.0',
        eth: '1.0',
        net: '1.0',
        web3: '1.0',
        rpc: '1.0',
        chain: '1.0',
        echo: '1.0',
        erigon: '1.0',
        ots: '1.0',
        trace: '1.0',
        txpool: '1.0',
      },
    ],
  ])('answers %s', async (method, result) => {
    expect(await rpc.result(method)).toEqual(result);
  });

  it('hashes with keccak', async () => {
    expect(await rpc.result('web3_sha3', '0x')).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});

describe('sending', () => {
  const send = (...args: Parameters<typeof sign>) =>
    rpc.call('eth_sendRawTransaction', toHexData(sign(...args).raw));

  it('takes a transaction into the pool, where it can be seen', async () => {
    const transaction = sign(2, { to: FRIEND, nonce: 2n });
    const hash = toHexData(transaction.hash);
    expect(await rpc.result('eth_sendRawTransaction', toHexData(transaction.raw))).toBe(hash);
    expect(await rpc.result('eth_getTransactionByHash', hash)).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      gasPrice: toHexQuantity(20n * GWEI),
    });
    expect(await rpc.result('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await rpc.result('eth_getRawTransactionByHash', hash)).toBe(toHexData(transaction.raw));
    expect(await rpc.result('eth_getRawTransactionByHash', UNKNOWN_HASH)).toBeNull();
    const mined = sign(2, { type: 0, to: FRIEND, value: 1000n });
    expect(await rpc.result('eth_getRawTransactionByHash', toHexData(mined.hash))).toBe(toHexData(mined.raw));
    expect(await rpc.result('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });
    const sender = toHexData(ACCOUNTS[2]!);
    expect(await rpc.result('eth_getTransactionCount', sender, 'pending')).toBe('0x3');
    expect(await rpc.result('eth_getTransactionCount', sender, 'latest')).toBe('0x2');
    expect(await send(2, { to: FRIEND, nonce: 2n })).toMatchObject({
      error: { code: -32000, message: 'tx already exists in cache: already known' },
    });
  });

  it('waits for the block on a slow node', async () => {
    const slow = await openRpcFixture({ methods: { waitForBlock: true } });
    try {
      await slow.block();
      const transaction = sign(0, { to: FRIEND });
      const sent = slow.call('eth_sendRawTransaction', toHexData(transaction.raw));
      await expect.poll(() => slow.result('txpool_status')).toMatchObject({ pending: '0x1' });
      await slow.block(transaction);
      expect(await sent).toMatchObject({ result: toHexData(transaction.hash) });
    } finally {
      await slow.close();
    }
    const hasty = await openRpcFixture({ methods: { waitForBlock: true }, dispatch: { callTimeoutMs: 500 } });
    try {
      await hasty.block();
      const late = sign(0, { to: FRIEND });
      expect(await hasty.call('eth_sendRawTransaction', toHexData(late.raw))).toMatchObject({
        error: { code: -32002 },
      });
    } finally {
      await hasty.close();
    }
  });

  it.each<[string, Parameters<typeof sign>[1], RegExp]>([
    ['a nonce below', { nonce: 0n }, /incorrect account sequence/],
    ['too low a fee', { nonce: 2n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, /insufficient fee/],
    ['too much value', { nonce: 2n, value: 10n ** 30n }, /insufficient funds/],
    ['another chain', { nonce: 2n, chainId: 5n }, /invalid chain-id/],
    ['too much gas', { nonce: 2n, gasLimit: 10n ** 9n }, /out of gas/],
  ])('refuses %s', async (_name, fields, message) => {
    expect((await send(0, { to: FRIEND, ...fields })).error).toEqual({
      code: -32000,
      message: expect.stringMatching(message),
    });
  });

  it('says why bytes are no transaction', async () => {
    expect(await errorOf('eth_sendRawTransaction', '0x05c0')).toEqual({
      code: -32000,
      message: 'transaction type not supported',
    });
    expect(await errorOf('eth_sendRawTransaction', '0x')).toMatchObject({ code: -32000 });
    expect(await errorOf('eth_sendRawTransaction', '0xc0')).toMatchObject({ code: -32000 });
    expect(await errorOf('eth_sendRawTransaction', 'f8')).toMatchObject({ code: -32602 });
  });
});
