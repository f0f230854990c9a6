import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainAddressOf, evmAddressOf, fromBech32, toBech32, toChecksumAddress } from './address.ts';
import { addToBloom, BLOOM_BYTES, bloomMayContain, mergeBloom } from './bloom.ts';
import { bytesOfMapKey, compareBytes, concatBytes, mapKeyOf, padLeft, prefixEnd, utf8 } from './bytes.ts';
import { sha256 } from './hashing.ts';
import { bytesToHex, hexToBytes, toHexQuantity } from './hex.ts';
import {
  bigintToBytes,
  bigintToFixedBytes,
  bytesToBigint,
  bytesToUint64,
  uint64ToBytes,
} from './integers.ts';
import { keccak256 } from './keccak.ts';
import { merkleRoot } from './merkle.ts';
import {
  compressPublicKey,
  publicKeyOf,
  recoverPublicKey,
  signDigest,
  uncompressPublicKey,
  verifyDigest,
} from './secp256k1/secp256k1.ts';
import { putUvarint, readUvarint, uvarintLength, writeUvarint, writeZigzag } from './varint.ts';

const anyBytes = fc.uint8Array({ maxLength: 200 });

describe('bytes', () => {
  it('make map keys that sort as they do and turn back into them', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(
          mapKeyOf(a) < mapKeyOf(b) ? -1 : +(mapKeyOf(a) > mapKeyOf(b)),
        );
        expect(new Uint8Array(bytesOfMapKey(mapKeyOf(a)))).toEqual(a);
      }),
    );
  });

  it('have an end of their prefix that parts what begins with it from what does not', () => {
    const few = fc.uint8Array({ maxLength: 4 }).map((bytes) => bytes.map((byte) => (byte % 3) + 0xfd));
    fc.assert(
      fc.property(few, few, (prefix, bytes) => {
        const end = prefixEnd(prefix);
        const isWithin = compareBytes(bytes, prefix) >= 0 && (!end || compareBytes(bytes, end) < 0);
        expect(isWithin).toBe(compareBytes(bytes.subarray(0, prefix.length), prefix) === 0);
      }),
    );
  });

  it('have an end of their prefix that leaves a Buffer as it was', () => {
    const prefix = Buffer.from([7, 1]);
    expect([...prefixEnd(prefix)!]).toEqual([7, 2]);
    expect([...prefix]).toEqual([7, 1]);
  });
});

describe('uvarints of numbers', () => {
  it('are those of bigints, without one', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const bytes = new Uint8Array(10);
        const end = putUvarint(bytes, 1, value);
        expect(end - 1).toBe(uvarintLength(value));
        expect(bytes.slice(1, end)).toEqual(writeUvarint(value));
      }),
    );
  });
});

describe('hex', () => {
  it('gives back what it was given', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(bytesToHex(hexToBytes(`0x${bytesToHex(bytes)}`))).toBe(bytesToHex(bytes));
      }),
    );
  });

  it.each(['0x1', '0xzz', 'abc', '0x12 4'])('refuses %s by name', (text) => {
    expect(() => hexToBytes(text)).toThrow(/is not hex of even length/);
  });

  it('writes quantities without leading zeros', () => {
    expect([toHexQuantity(0), toHexQuantity(255n)]).toEqual(['0x0', '0xff']);
  });
});

describe('integers', () => {
  it('round-trips big-endian forms', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(bytesToBigint(bigintToBytes(value))).toBe(value);
        expect(bytesToBigint(bigintToFixedBytes(value, 32))).toBe(value);
      }),
    );
    expect(bytesToUint64(uint64ToBytes(2n ** 64n - 1n))).toBe(2n ** 64n - 1n);
    expect(padLeft(Uint8Array.of(1), 3)).toEqual(Uint8Array.of(0, 0, 1));
  });

  it('round-trips varints and names a cut one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        expect(readUvarint(writeUvarint(value))[0]).toBe(value);
      }),
    );
    expect(bytesToHex(concatBytes(writeZigzag(0), writeZigzag(-1), writeZigzag(1), writeZigzag(64)))).toBe(
      '0001028001',
    );
    expect(() => readUvarint(Uint8Array.of(0x80))).toThrow(/no varint/);
  });
});

describe('hashes', () => {
  it('match their published vectors', () => {
    expect(bytesToHex(keccak256(utf8('')))).toBe(
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
    expect(bytesToHex(sha256(utf8('')))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('give the RFC 6962 roots of Certificate Transparency', () => {
    const leaves = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ].map(hexToBytes);
    expect(bytesToHex(merkleRoot([]))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(bytesToHex(merkleRoot(leaves.slice(0, 1)))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(bytesToHex(merkleRoot(leaves.slice(0, 7)))).toBe(
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    );
    expect(bytesToHex(merkleRoot(leaves))).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });
});

describe('keys and addresses', () => {
  // The first account of the mnemonic that every development node uses.
  const privateKey = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  const publicKey = publicKeyOf(privateKey, false)!;

  it('derive the well-known first development account', () => {
    expect(toChecksumAddress(evmAddressOf(publicKey))).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  });

  it('print and read bech32, and refuse a foreign prefix', () => {
    const address = chainAddressOf(compressPublicKey(publicKey));
    expect(fromBech32(toBech32(address))).toEqual(address);
    expect(toBech32(address)).toMatch(/^chain1/);
    expect(() => fromBech32(toBech32(address, 'other'))).toThrow(/is not a chain1… address/);
    // Longer than BIP-173 allows: whoever asks for it gets it.
    const long = new Uint8Array(216).fill(7);
    expect(toBech32(long)).toHaveLength('chain1'.length + Math.ceil((long.length * 8) / 5) + 6);
    expect(() => fromBech32(toBech32(long))).toThrow(/is not a chain1… address/);
  });

  it('sign digests that verify and recover to the key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        const signed = signDigest(digest, privateKey);
        expect(recoverPublicKey(digest, signed)).toEqual(publicKey);
        expect(verifyDigest(digest, publicKey, signed.signature)).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect(uncompressPublicKey(compressPublicKey(publicKey))).toEqual(publicKey);
    expect(
      recoverPublicKey(new Uint8Array(32), { signature: new Uint8Array(64), recoveryId: 0 }),
    ).toBeUndefined();
    expect(publicKeyOf(new Uint8Array(32), true)).toBeUndefined();
  });
});

describe('blooms', () => {
  it('contain all that was added and all that was merged', () => {
    fc.assert(
      fc.property(fc.array(anyBytes, { maxLength: 20 }), anyBytes, (items, other) => {
        const bloom = new Uint8Array(BLOOM_BYTES);
        for (const item of items) addToBloom(bloom, item);
        const second = new Uint8Array(BLOOM_BYTES);
        addToBloom(second, other);
        mergeBloom(bloom, second);
        expect([...items, other].every((item) => bloomMayContain(bloom, item))).toBe(true);
      }),
    );
    expect(bloomMayContain(new Uint8Array(BLOOM_BYTES), utf8('x'))).toBe(false);
  });
});
