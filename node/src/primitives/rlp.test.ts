import { encodeRlp as ethersEncode, hexlify } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexToBytes } from './hex.ts';
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts';

const { item: items } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item'), { maxLength: 8 }),
  ),
}));
type Hex = string | Hex[];
const toHex = (item: RlpItem): Hex => (item instanceof Uint8Array ? hexlify(item) : item.map(toHex));

describe('RLP', () => {
  test('encodes as another implementation does, and decodes back', () => {
    fc.assert(
      fc.property(items, (item) => {
        const encoded = encodeRlp(item);
        expect(hexlify(encoded)).toBe(ethersEncode(toHex(item)));
        expect(toHex(decodeRlp(encoded))).toEqual(toHex(item));
      }),
    );
  });

  test.each([
    ['', 'unexpected EOF'],
    ['8100', 'rlp: non-canonical size information'],
    ['b800', 'rlp: non-canonical size information'],
    ['b90038', 'rlp: non-canonical size information'],
    ['83aa', 'rlp: value size exceeds available input length'],
    ['c283aa', 'rlp: element is larger than containing list'],
    ['0102', 'rlp: input contains more than one value'],
  ])('refuses %s', (hex, message) => {
    expect(() => decodeRlp(hexToBytes(hex))).toThrow(message);
  });

  test('anything that decodes is canonical', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        let item: RlpItem;
        try {
          item = decodeRlp(bytes);
        } catch {
          return;
        }
        expect(hexlify(encodeRlp(item))).toBe(hexlify(bytes));
      }),
    );
  });
});
