import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskedCrc32c } from './crc32c.ts';

/** As LevelDB's util/crc32c.h takes it back. */
function unmasked(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

/** Bit by bit, as RFC 3720 has it. */
function plainCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

it('gives the sums of RFC 3720, B.4', () => {
  const of = (bytes: Uint8Array) => unmasked(maskedCrc32c(bytes, 0, bytes.length));
  expect(of(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(of(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(of(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
  expect(of(Uint8Array.from({ length: 32 }, (_, i) => 31 - i))).toBe(0x113fdb5c);
  expect(of(Buffer.from('123456789'))).toBe(0xe3069283);
});

it('gives what a sum bit by bit gives, at any place and length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(40), (bytes, start) => {
      const from = Math.min(start, bytes.length);
      expect(unmasked(maskedCrc32c(bytes, from, bytes.length))).toBe(plainCrc(bytes.subarray(from)));
    }),
  );
  const long = Uint8Array.from({ length: (1 << 20) + 77 }, (_, i) => (i * 31) % 253);
  expect(unmasked(maskedCrc32c(long, 1, long.length))).toBe(plainCrc(long.subarray(1)));
});
