import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bigintToFixedBytes, concatBytes } from '../index.ts';
import { loadNativeSignatures } from './native.ts';
import { signDigest } from './secp256k1.ts';
import type { Signatures } from './signatures.ts';
import { webAssemblySignatures } from './webAssembly.ts';

const RUNS = Number(process.env.CURVE_RUNS ?? 60);
const { Fp, Fn } = secp256k1.Point;
const ORDER = Fn.ORDER;
const PRIME = Fp.ORDER;

const native = loadNativeSignatures();
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Any number of 32 bytes; the edges of the order and of the field often. */
const word = fc.oneof(
  bytes(32),
  fc
    .constantFrom(0n, 1n, 2n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, ORDER + 1n, PRIME - 1n, PRIME)
    .map((value) => bigintToFixedBytes(value, 32)),
);
const privateKey = bytes(32).filter((key) => secp256k1.utils.isValidSecretKey(key));
const odd = fc.uint8Array({ maxLength: 70 });
const signature = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(word, word).map(([r, s]) => concatBytes(r, s)) },
  odd,
);
const digest = fc.oneof({ weight: 6, arbitrary: word }, odd);

/** What @noble/curves makes of it. */
const pure: Signatures = {
  recover: (hash, rs, parity) => {
    try {
      const { Signature } = secp256k1;
      if (hash.length !== 32) return undefined;
      return Signature.fromBytes(rs, 'compact').addRecoveryBit(parity).recoverPublicKey(hash).toBytes(false);
    } catch {
      return undefined;
    }
  },
  verify: (hash, key, rs) => {
    try {
      return hash.length === 32 && secp256k1.verify(rs, hash, key, { prehash: false, lowS: true });
    } catch {
      return false;
    }
  },
};

describe('secp256k1', () => {
  test('native, WebAssembly and pure code recover the same from any bytes', () => {
    fc.assert(
      fc.property(digest, signature, fc.constantFrom(0 as const, 1 as const), (hash, rs, parity) => {
        const found = native.recover(hash, rs, parity);
        expect(webAssemblySignatures.recover(hash, rs, parity)).toEqual(found);
        expect(pure.recover(hash, rs, parity)).toEqual(found);
      }),
      { numRuns: RUNS },
    );
  });

  test('they judge real signatures alike, with the higher s, another key, and each byte changed', () => {
    const change = fc.record({ at: fc.nat(63), by: fc.nat(255) });
    fc.assert(
      fc.property(privateKey, word, change, fc.boolean(), (key, hash, { at, by }, isHigh) => {
        const signed = signDigest(hash, key);
        const rs = Uint8Array.from(signed.signature);
        if (isHigh) rs.set(bigintToFixedBytes(ORDER - Fn.fromBytes(rs.subarray(32)), 32), 32);
        rs[at]! ^= by;
        for (const isCompressed of [true, false]) {
          const publicKey = secp256k1.getPublicKey(key, isCompressed);
          const isGood = native.verify(hash, publicKey, rs);
          expect(isGood).toBe(by === 0 && !isHigh);
          expect(webAssemblySignatures.verify(hash, publicKey, rs)).toBe(isGood);
          expect(pure.verify(hash, publicKey, rs)).toBe(isGood);
        }
        const parity = signed.recoveryId & 1 ? 1 : 0;
        const found = native.recover(hash, rs, parity);
        expect(webAssemblySignatures.recover(hash, rs, parity)).toEqual(found);
        expect(pure.recover(hash, rs, parity)).toEqual(found);
      }),
      { numRuns: RUNS },
    );
  });

  test('keys that are no points verify nothing in any of them', () => {
    const prefix = fc.constantFrom(0, 2, 3, 4, 5);
    const key = fc.oneof(
      fc.tuple(prefix, word).map(([first, x]) => concatBytes(Uint8Array.of(first), x)),
      fc.tuple(prefix, word, word).map(([first, x, y]) => concatBytes(Uint8Array.of(first), x, y)),
      odd,
    );
    fc.assert(
      fc.property(key, digest, signature, (publicKey, hash, rs) => {
        const results = [native, webAssemblySignatures, pure].map((of) => of.verify(hash, publicKey, rs));
        expect(results).toEqual([results[0], results[0], results[0]]);
      }),
      { numRuns: RUNS },
    );
  });
});
