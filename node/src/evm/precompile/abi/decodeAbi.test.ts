import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bigintToFixedBytes, concatBytes, utf8 } from '../../../primitives/index.ts';
import type { AbiParameter, AbiType, AbiValue } from './abiType.ts';
import { decodeAbi } from './decodeAbi.ts';
import { encodeAbi } from './encodeAbi.ts';
import { parseFunction } from './parseAbi.ts';

const inputsOf = (types: string): readonly AbiParameter[] => parseFunction(`f(${types}) view`).inputs;
const words = (...values: readonly (number | bigint)[]): Uint8Array =>
  concatBytes(...values.map((value) => bigintToFixedBytes(BigInt(value), 32)));

/** `count` offsets that all lead to what stands behind them. */
function shared(count: number, behind: Uint8Array): Uint8Array {
  const offsets = Array.from({ length: count }, () => 32 * count);
  return concatBytes(words(32, count, ...offsets), behind);
}

const leaf = fc.constantFrom<AbiType>(
  { kind: 'uint', bits: 256 },
  { kind: 'int', bits: 64 },
  { kind: 'bool' },
  { kind: 'address' },
  { kind: 'string' },
  { kind: 'bytes' },
);
const { type: anyType } = fc.letrec<{ type: AbiType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('type').map((of): AbiType => ({ kind: 'array', of })),
    fc
      .array(tie('type'), { minLength: 1, maxLength: 3 })
      .map((types): AbiType => ({ kind: 'tuple', members: types.map((type) => parameter(type)) })),
  ),
}));
const parameter = (type: AbiType): AbiParameter => ({ name: '', type, indexed: false });

function anyValueOf(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return fc.bigInt({ min: 0n, max: 2n ** BigInt(type.bits) - 1n });
    case 'int':
      return fc.bigInt({ min: -(2n ** BigInt(type.bits - 1)), max: 2n ** BigInt(type.bits - 1) - 1n });
    case 'bool':
      return fc.boolean();
    case 'address':
      return fc.uint8Array({ minLength: 20, maxLength: 20 });
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 70 });
    case 'bytes':
      return fc.uint8Array({ maxLength: 70 });
    case 'array':
      return fc.array(anyValueOf(type.of), { maxLength: 4 });
    case 'tuple':
      return fc.tuple(...type.members.map((member) => anyValueOf(member.type)));
  }
}

describe('arguments of a call', () => {
  it('come out as they went in, of any types and with anything behind them', () => {
    const typed = anyType.chain((type) => fc.tuple(fc.constant(type), anyValueOf(type), fc.uint8Array()));
    fc.assert(
      fc.property(typed, ([type, value, behind]) => {
        const parameters = [parameter(type)];
        const encoded = concatBytes(encodeAbi(parameters, [value]), behind);
        expect(decodeAbi(parameters, encoded)).toEqual([value]);
      }),
      { numRuns: 40 },
    );
  });

  it.each<readonly [string, string, Uint8Array]>([
    ['texts', 'string[] a', shared(1_000, concatBytes(words(32_000), new Uint8Array(32_000)))],
    ['bytes', 'bytes[] a', shared(1_000, concatBytes(words(32_000), new Uint8Array(32_000)))],
    ['lists', 'uint256[][] a', shared(40, words(40, ...new Array<number>(40).fill(1)))],
    [
      'tuples',
      '(string a, uint8 b)[] a',
      shared(300, concatBytes(words(64, 1, 3_200), new Uint8Array(3_200))),
    ],
    ['arguments', 'bytes a, bytes b, bytes c', concatBytes(words(96, 96, 96, 320), new Uint8Array(320))],
  ])('are refused where offsets lead to one place again and again, in lists of %s', (_what, types, bytes) => {
    expect(() => decodeAbi(inputsOf(types), bytes)).toThrow(
      expect.objectContaining({ code: 'EVM_ABI_INVALID' }),
    );
  });

  it('take no more memory as values than as bytes, whatever the bytes are', () => {
    const types = ['string[] a', 'bytes[][] a', '(uint8 a, (string b, bytes c)[] d)[] e', 'uint256[][] a'];
    const word = fc.oneof(
      fc.nat(12).map((n) => 32 * n),
      fc.nat(40),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.array(word, { maxLength: 60 }), (text, values) => {
        const bytes = words(...values);
        let decoded: readonly AbiValue[];
        try {
          decoded = decodeAbi(inputsOf(text), bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'EVM_ABI_INVALID' });
          return;
        }
        expect(sizeOf(decoded)).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });
});

/** What a value takes at least: a text its bytes, a number a word. */
function sizeOf(value: AbiValue): number {
  if (value instanceof Uint8Array) return value.length;
  // What is no UTF-8 is shown by three bytes instead of one.
  if (typeof value === 'string') return Math.floor(utf8(value).length / 3);
  if (typeof value === 'object') return value.reduce<number>((sum, item) => sum + sizeOf(item), 0);
  return 32;
}
