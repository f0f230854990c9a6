import { blake3 } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../../primitives/index.ts';
import { latticeHash, SUM_BYTES, sumOf } from './latticeSum.ts';
import { LtHasher } from './ltHasher.ts';

const ZERO = new Uint8Array(SUM_BYTES);
const ZERO_HASH = 'be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813';
const STORAGE_KEY = concatBytes(
  utf8('evm/\x03'),
  new Uint8Array(20).fill(0xaa),
  new Uint8Array(32).fill(0xbb),
);
const STORAGE_ROW = hexToBytes(`0x000000000000000064${'00'.repeat(30)}dead`);
const CODE_KEY = concatBytes(utf8('evm/\x07'), new Uint8Array(20).fill(0xaa));
const CODE_ROW = hexToBytes('0x0000000000000000646080604052');

/** By the definition, with another implementation of BLAKE3. */
function element(key: Uint8Array, value: Uint8Array): Uint8Array {
  const length = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.of(bytes.length & 255, bytes.length >> 8, 0, 0);
  return blake3(concatBytes(length(key), key, length(value), value), { dkLen: SUM_BYTES });
}

function hasherAt(sum: Uint8Array): LtHasher {
  const hasher = new LtHasher();
  hasher.load(sum);
  return hasher;
}

const bytes = (max: number) => fc.uint8Array({ minLength: 1, maxLength: max });
const row = fc.tuple(bytes(80), bytes(120));

describe('the lattice hash', () => {
  it('gives the reference vectors', () => {
    const hasher = hasherAt(ZERO);
    expect(bytesToHex(latticeHash(hasher.save()))).toBe(ZERO_HASH);
    hasher.add(STORAGE_KEY, STORAGE_ROW);
    expect(bytesToHex(hasher.save().subarray(0, 16))).toBe('912118464cf22a803af14b8e43547683');
    expect(bytesToHex(latticeHash(hasher.save()))).toBe(
      '9f1f1a77c171ba69570dd592da8e824d7624f6670a069962fcb259e451ecbe16',
    );
    hasher.add(CODE_KEY, CODE_ROW);
    expect(bytesToHex(latticeHash(hasher.save()))).toBe(
      'e89188815d971c10f5cee87e9623f0632a2698921ad94c2b8385f31ddaa47246',
    );
    hasher.subtract(STORAGE_KEY, STORAGE_ROW);
    hasher.subtract(CODE_KEY, CODE_ROW);
    expect(bytesToHex(latticeHash(hasher.save()))).toBe(ZERO_HASH);
  });

  it('expands messages of every shape of tree as another BLAKE3 does', () => {
    const lengths = [
      1, 2, 50, 55, 56, 57, 63, 64, 119, 120, 121, 1015, 1016, 1017, 2040, 2041, 3100, 5000, 24_576,
    ];
    const hasher = new LtHasher();
    // Long ones between short ones: nothing of an earlier message may stay behind.
    for (const length of [...lengths, ...lengths.toReversed()]) {
      const key = Uint8Array.of(length & 255);
      const value = new Uint8Array(length).fill(length | 1);
      hasher.load(ZERO);
      hasher.add(key, value);
      expect(bytesToHex(hasher.save())).toBe(bytesToHex(element(key, value)));
    }
  });

  it('is the sum of the elements, in any order', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.integer(), (rows, salt) => {
        const shuffled = rows
          .map((item, i) => ({ item, rank: (i * 7919 + salt) % 13 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ item }) => item);
        const expected = bytesToHex(sumOf(rows.map(([key, value]) => element(key, value))));
        for (const order of [rows, shuffled]) {
          const hasher = hasherAt(ZERO);
          for (const [key, value] of order) hasher.add(key, value);
          expect(bytesToHex(hasher.save())).toBe(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('forgets what is taken out again', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.array(row, { maxLength: 8 }), (kept, gone) => {
        const hasher = hasherAt(ZERO);
        for (const [key, value] of kept) hasher.add(key, value);
        const expected = bytesToHex(hasher.save());
        for (const [key, value] of gone) hasher.subtract(key, value);
        for (const [key, value] of gone.toReversed()) hasher.add(key, value);
        expect(bytesToHex(hasher.save())).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('counts a row without key or value as nothing', () => {
    const hasher = hasherAt(ZERO);
    hasher.add(new Uint8Array(0), CODE_ROW);
    hasher.add(CODE_KEY, new Uint8Array(0));
    expect(hasher.save()).toEqual(ZERO);
  });
});
