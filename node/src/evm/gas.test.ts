import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, keccak256 } from '../primitives/index.ts';
import { prevRandaoOf } from './evmBlock.ts';
import { floorGas, intrinsicGas, settledGas } from './gas.ts';

const plain = { data: new Uint8Array(0), accessList: [], authorizationList: [] };

describe('gas of a transaction', () => {
  test('begins at 21,000, and 53,000 for a creation', () => {
    expect(intrinsicGas({ ...plain, to: new Uint8Array(20) }, 'prague')).toBe(21_000n);
    expect(intrinsicGas({ ...plain, to: null }, 'prague')).toBe(53_000n);
  });

  test('counts data, init code words, access list and authorizations', () => {
    const data = Uint8Array.of(0, 1);
    expect(intrinsicGas({ ...plain, to: null, data }, 'prague')).toBe(53_000n + 4n + 16n + 2n);
    const entry = { address: new Uint8Array(20), storageKeys: [new Uint8Array(32)] };
    expect(
      intrinsicGas(
        { ...plain, to: new Uint8Array(20), accessList: [entry], authorizationList: [1] },
        'prague',
      ),
    ).toBe(21_000n + 2_400n + 1_900n + 25_000n);
    expect(floorGas(data, 'prague')).toBe(21_000n + 10n * 5n);
  });

  test('is refunded up to a fifth and never below the floor', () => {
    expect(settledGas({ gas: 100_000n, refund: 4_800n, floor: 21_000n }, 'prague')).toBe(95_200n);
    expect(settledGas({ gas: 100_000n, refund: 90_000n, floor: 21_000n }, 'prague')).toBe(80_000n);
    expect(settledGas({ gas: 30_000n, refund: 0n, floor: 40_000n }, 'prague')).toBe(40_000n);
  });

  test('has no floor before Prague, no price of init code before Shanghai, and larger refunds before London', () => {
    const data = Uint8Array.of(0, 1);
    expect(floorGas(data, 'cancun')).toBe(0n);
    expect(intrinsicGas({ ...plain, to: null, data }, 'paris')).toBe(53_000n + 4n + 16n);
    expect(settledGas({ gas: 100_000n, refund: 90_000n, floor: 0n }, 'berlin')).toBe(50_000n);
  });

  test('PREVRANDAO hashes the binary block time', () => {
    // 2023-11-14T22:13:20.000000005Z: 63,835,597,200 seconds after year 1.
    const binary = `01${(1_700_000_000n + 62_135_596_800n).toString(16).padStart(16, '0')}00000005ffff`;
    expect(bytesToHex(prevRandaoOf({ seconds: 1_700_000_000n, nanos: 5 }))).toBe(
      bytesToHex(keccak256(hexToBytes(binary))),
    );
  });
});
