import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHexQuantity } from '../../primitives/index.ts';
import { openRpcFixture } from '../rpc.fixture.ts';
import { growBlocks } from '../testTransactions.fixture.ts';
import { CallCache, callKey } from './callCache.ts';

/** NUMBER, as creation code that returns it. */
const NUMBER_OF_BLOCK = '0x4360005260206000f3';
const HASH = new Uint8Array(32).fill(1);
const end = (data: string) => ({ status: 'success' as const, error: '', data });

describe('the key of a call', () => {
  const address = fc.option(fc.uint8Array({ minLength: 20, maxLength: 20 }), { nil: undefined });
  const amount = fc.option(fc.bigInt({ min: 0n, max: 20n }), { nil: undefined });
  const request = fc.record({
    from: address,
    to: address,
    gas: amount,
    gasPrice: amount,
    value: amount,
    data: fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }),
  });
  const plain = (value: object) =>
    JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? `${it}n` : (it ?? null)));

  it('is one for calls that are the same, and no other', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        const same = plain({ ...one, data: one.data ?? [] }) === plain({ ...other, data: other.data ?? [] });
        expect(callKey(HASH, one) === callKey(HASH, other)).toBe(same);
        expect(callKey(HASH, one)).not.toBe(callKey(new Uint8Array(32), one));
      }),
    );
  });

  it('is none without a block, and for lists', () => {
    expect(callKey(undefined, {})).toBeUndefined();
    expect(callKey(HASH, { accessList: [{ address: HASH, storageKeys: [] }] })).toBeUndefined();
  });
});

it('keeps within its bytes, dropping the oldest', () => {
  const cache = new CallCache({ maxBytes: 500 });
  for (let i = 0; i < 20; i++) cache.put(`key ${i}`, end('0x'));
  expect(cache.get('key 0')).toBeUndefined();
  expect(cache.get('key 19')).toEqual(end('0x'));
});

it('never shows a call of another block', async () => {
  const rpc = await openRpcFixture();
  try {
    await growBlocks(rpc);
    const number = (block: unknown) => rpc.result('eth_call', { data: NUMBER_OF_BLOCK }, block);
    const height = BigInt((await rpc.result('eth_blockNumber')) as string);
    expect([await number('latest'), await number('latest')].map((it) => BigInt(it as string))).toEqual([
      height,
      height,
    ]);
    await rpc.block();
    expect(BigInt((await number('latest')) as string)).toBe(height + 1n);
    expect(BigInt((await number(toHexQuantity(height))) as string)).toBe(height);
  } finally {
    await rpc.close();
  }
});
