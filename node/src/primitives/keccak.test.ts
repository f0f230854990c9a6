import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keccak256 } from './keccak.ts';

it('gives what another implementation gives, at any length, in any order', () => {
  const edges = [0, 1, 135, 136, 137, 272, 54_399, 54_400, 54_401, 54_536, 108_800, 200_000];
  for (const length of edges) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) % 251);
    expect(keccak256(bytes), String(length)).toEqual(keccak_256(bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(keccak256(bytes)).toEqual(keccak_256(bytes));
      expect(keccak256(Buffer.from(bytes))).toEqual(keccak_256(bytes));
    }),
  );
});

it('gives bytes of their own, which the next hash does not change', () => {
  const first = keccak256(Uint8Array.of(1));
  const before = Uint8Array.from(first);
  keccak256(Uint8Array.of(2));
  expect(first).toEqual(before);
  expect(first.buffer.byteLength).toBe(32);
});
