import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keccak256, toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, growBlocks } from '../testTransactions.fixture.ts';

const counter = toHexData(COUNTER);
const alice = toHexData(ACCOUNTS[0]!);
const ZERO = `0x${'00'.repeat(32)}`;

let rpc: RpcFixture;
beforeAll(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
});
afterAll(() => rpc.close());
const errorOf = async (method: string, ...params: unknown[]) => (await rpc.call(method, ...params)).error;

describe('what clients of Ethereum rely on', () => {
  it.each([
    ['eth_getBalance', [alice]],
    ['eth_getCode', [counter]],
    ['eth_getStorageAt', [counter, '0x0']],
    ['eth_getTransactionCount', [alice]],
  ])('%s without a block is that of the newest one', async (method, params) => {
    const newest = await rpc.result(method, ...params, 'latest');
    expect(await rpc.result(method, ...params)).toEqual(newest);
    expect(await rpc.result(method, ...params, null)).toEqual(newest);
    expect(newest).toMatch(/^0x/);
  });

  it('storage keys that cannot be read are invalid parameters', async () => {
    const long = `0x${'1'.repeat(65)}`;
    const size = 'hex string too long, want at most 32 bytes';
    for (const [method, key, complaint] of [
      [
        'eth_getStorageAt',
        7,
        'invalid argument 1: json: cannot unmarshal number into Go value of type string',
      ],
      ['eth_getStorageAt', '0xzz', 'unable to decode storage key: hex string invalid'],
      ['eth_getStorageAt', long, `unable to decode storage key: ${size}`],
      ['eth_getProof', ['0xzz'], 'invalid storage key "0xzz": hex string invalid'],
      ['eth_getProof', [long], `invalid storage key "${long}": ${size}`],
    ] as const) {
      expect(await errorOf(method, counter, key, 'latest')).toEqual({ code: -32602, message: complaint });
    }
    expect(await errorOf('eth_getStorageValues', {})).toEqual({ code: -32602, message: 'empty request' });
  });

  it('eth_getProof has the members of Ethereum beside those of this chain', async () => {
    const proof = (await rpc.result('eth_getProof', counter, ['0x0'], 'latest')) as Record<string, unknown>;
    const code = String(await rpc.result('eth_getCode', counter));
    expect(proof).toMatchObject({
      address: counter,
      balance: await rpc.result('eth_getBalance', counter),
      nonce: await rpc.result('eth_getTransactionCount', counter),
      codeHash: toHexData(keccak256(Buffer.from(code.slice(2), 'hex'))),
      storageHash: ZERO,
      accountProof: [],
      hexValues: [await rpc.result('eth_getStorageAt', counter, '0x0')],
    });
    const [slot] = proof.storageProof as Record<string, unknown>[];
    expect(slot).toMatchObject({
      key: ZERO,
      proof: [],
      ops: [{ type: 'ics23:iavl' }, { type: 'ics23:simple' }],
    });
    expect(BigInt(String(slot!.value))).toBe(BigInt(String((proof.hexValues as string[])[0])));
    const plain = (await rpc.result('eth_getProof', `0x${'77'.repeat(20)}`, [], 'latest')) as object;
    expect(plain).toMatchObject({
      balance: '0x0',
      nonce: '0x0',
      codeHash: toHexData(keccak256(new Uint8Array(0))),
    });
  });

  it('COINBASE of eth_call is the miner of the block, unless it is overridden', async () => {
    const at = `0x${'c0'.repeat(20)}`;
    const overrides = { [at]: { code: '0x4160005260206000f3' } };
    const { miner } = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as { miner: string };
    const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
    expect(await rpc.result('eth_call', { to: at }, '0x2', overrides)).toBe(word(miner));
    const block = { feeRecipient: alice };
    expect(await rpc.result('eth_call', { to: at }, '0x2', overrides, block)).toBe(word(alice));
  });

  it('echo_echo gives back a text, and errors of transactions are there without the legacy gate', async () => {
    expect(await rpc.result('echo_echo', 'a "text"')).toBe('a "text"');
    expect(await rpc.result('eth_getTransactionErrorByHash', ZERO)).toBe('');
    expect(await errorOf('eth_getVMError', ZERO)).toEqual({ code: -32000, message: 'receipt not found' });
  });
});
