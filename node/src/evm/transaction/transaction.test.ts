import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx } from '@ethereumjs/tx';
import { Transaction as EthersTransaction } from 'ethers';
import fc from 'fast-check';
import { hashAuthorization } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import {
  bytesToBigint,
  bytesToHex,
  evmAddressOf,
  hexToBytes,
  publicKeyOf,
  signDigest,
} from '../../primitives/index.ts';
import { floorGas, intrinsicGas } from '../gas.ts';
import { authorizationHash, recoverAuthority } from './authorization.ts';
import { decodeTransaction } from './decode.ts';
import { signedTransaction, signingHash } from './encode.ts';
import type { EvmTransaction, UnsignedEvmTransaction } from './evmTransaction.ts';
import { recoverSender } from './sender.ts';

const CHAIN_ID = 713_714n;
const KEY = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ADDRESS = hexToBytes('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`;
const common = createCustomCommon({ chainId: Number(CHAIN_ID) }, Mainnet, { hardfork: Hardfork.Prague });

function signWith(key: Uint8Array, digest: Uint8Array): { yParity: bigint; r: bigint; s: bigint } {
  const { signature, recoveryId } = signDigest(digest, key);
  return {
    yParity: BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  };
}

function sign(unsigned: UnsignedEvmTransaction): EvmTransaction {
  const { yParity, r, s } = signWith(KEY, signingHash(unsigned));
  const { type, chainId } = unsigned;
  const v = type !== 0 ? yParity : chainId === undefined ? 27n + yParity : 35n + 2n * chainId + yParity;
  return signedTransaction(unsigned, { v, r, s });
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const authorizations = fc
  .record({
    chainId: fc.constantFrom(0n, CHAIN_ID),
    address: bytes(20),
    nonce: fc.bigInt(0n, 2n ** 64n - 1n),
  })
  .map((unsigned) => ({ ...unsigned, ...signWith(KEY, authorizationHash(unsigned)) }));
const unsignedTransactions: fc.Arbitrary<UnsignedEvmTransaction> = fc
  .record({
    type: fc.constantFrom(0 as const, 1 as const, 2 as const, 4 as const),
    nonce: fc.bigInt(0n, 2n ** 64n - 2n),
    gasLimit: fc.bigInt(0n, 2n ** 64n - 1n),
    maxFeePerGas: fc.bigInt(0n, 2n ** 128n),
    tip: fc.bigInt(0n, 2n ** 64n),
    to: fc.option(bytes(20)),
    value: fc.bigInt(0n, 2n ** 256n - 1n),
    data: fc.uint8Array({ maxLength: 100 }),
    accessList: fc.array(
      fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
    authorizationList: fc.array(authorizations, { minLength: 1, maxLength: 2 }),
    isProtected: fc.boolean(),
  })
  .map(({ tip, isProtected, ...fields }) => {
    const { type, maxFeePerGas } = fields;
    const isLegacyPrice = type <= 1;
    const priority = tip < maxFeePerGas ? tip : maxFeePerGas;
    return {
      ...fields,
      chainId: type === 0 && !isProtected ? undefined : CHAIN_ID,
      to: type === 4 ? (fields.to ?? ADDRESS) : fields.to,
      gasPrice: isLegacyPrice ? maxFeePerGas : undefined,
      maxPriorityFeePerGas: isLegacyPrice ? maxFeePerGas : priority,
      accessList: type === 0 ? [] : fields.accessList,
      authorizationList: type === 4 ? fields.authorizationList : [],
    };
  });

describe('EVM transactions', () => {
  test('decode to what was encoded, with the sender that signed', () => {
    expect(evmAddressOf(publicKeyOf(KEY, false)!)).toEqual(new Uint8Array(ADDRESS));
    fc.assert(
      fc.property(unsignedTransactions, (unsigned) => {
        const signed = sign(unsigned);
        const decoded = decodeTransaction(signed.raw);
        expect(normal(decoded)).toEqual(normal(signed));
        expect(hex(recoverSender(decoded))).toBe(hex(ADDRESS));
      }),
      { numRuns: 60 },
    );
  });

  test('have the encoding, hash and sender that ethers finds', () => {
    fc.assert(
      fc.property(unsignedTransactions, (unsigned) => {
        fc.pre(unsigned.nonce < 2n ** 53n);
        const signed = sign(unsigned);
        const other = EthersTransaction.from(hex(signed.raw));
        expect(other.hash).toBe(hex(signed.hash));
        expect(other.serialized).toBe(hex(signed.raw));
        expect(other.from?.toLowerCase()).toBe(hex(ADDRESS));
        expect(other.unsignedHash).toBe(hex(signingHash(signed)));
        expect(other.value).toBe(signed.value);
      }),
      { numRuns: 60 },
    );
  });

  test('cost the intrinsic and floor gas that @ethereumjs/tx computes', () => {
    fc.assert(
      fc.property(unsignedTransactions, (unsigned) => {
        fc.pre(unsigned.gasLimit >= 10_000_000n);
        fc.pre(unsigned.maxFeePerGas * unsigned.gasLimit < 2n ** 256n);
        const { type, chainId, nonce, gasLimit, data, value } = unsigned;
        const to = unsigned.to ? { to: hex(unsigned.to) as `0x${string}` } : {};
        const accessList = unsigned.accessList.map(
          ({ address, storageKeys }) => [address, [...storageKeys]] as [Uint8Array, Uint8Array[]],
        );
        const tx = createTx(
          {
            type,
            nonce,
            gasLimit,
            data,
            value,
            ...to,
            ...(type === 0 ? {} : { accessList, chainId }),
            ...(type <= 1
              ? { gasPrice: unsigned.maxFeePerGas }
              : { maxFeePerGas: unsigned.maxFeePerGas, maxPriorityFeePerGas: unsigned.maxPriorityFeePerGas }),
            ...(type === 4
              ? { authorizationList: unsigned.authorizationList.map(libraryAuthorization) }
              : {}),
          } as Parameters<typeof createTx>[0],
          { common },
        );
        expect(intrinsicGas(unsigned, 'prague')).toBe(tx.getIntrinsicGas());
        const tokens = [...data].reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0);
        expect(floorGas(data, 'prague')).toBe(21_000n + 10n * BigInt(tokens));
      }),
      { numRuns: 60 },
    );
  });

  test('authorizations hash as in viem and name their authority', () => {
    fc.assert(
      fc.property(authorizations, (authorization) => {
        const { chainId, address, nonce } = authorization;
        fc.pre(nonce < 2n ** 53n);
        expect(hex(authorizationHash(authorization))).toBe(
          hashAuthorization({
            chainId: Number(chainId),
            contractAddress: hex(address) as `0x${string}`,
            nonce: Number(nonce),
          }),
        );
        expect(hex(recoverAuthority(authorization)!)).toBe(hex(ADDRESS));
      }),
      { numRuns: 20 },
    );
  });

  test('tell an unprotected legacy transaction by its missing chain id', () => {
    const unsigned = { ...LEGACY, chainId: undefined };
    expect(decodeTransaction(sign(unsigned).raw).chainId).toBeUndefined();
    expect(decodeTransaction(sign(LEGACY).raw).chainId).toBe(CHAIN_ID);
  });

  test('are refused with a high s, an impossible v, r or s of zero or beyond the order', () => {
    const { v, r, s } = sign(LEGACY);
    const faults = [
      { v, r, s: CURVE_ORDER - s },
      { v, r: 0n, s },
      { v, r, s: 0n },
      { v, r: CURVE_ORDER, s },
      { v: 26n, r, s },
      { v: 29n, r, s },
    ];
    for (const fault of faults) {
      const transaction = decodeTransaction(signedTransaction(LEGACY, fault).raw);
      expect(() => recoverSender(transaction)).toThrow('invalid transaction v, r, s values');
    }
  });

  test.each([
    ['', 'typed transaction too short'],
    ['02', 'typed transaction too short'],
    [
      '03c0',
      'unsupported transaction type: this chain takes no blob transactions (type 3); send one of type 0, 1, 2 or 4',
    ],
    ['05c0', 'transaction type not supported'],
    ['02c0', 'rlp: too few elements for types.DynamicFeeTx'],
    ['c0', 'rlp: too few elements for types.LegacyTx'],
    ['80', 'rlp: expected input list for types.LegacyTx'],
    ['ca80808080808080808080', 'rlp: input list has too many elements for types.LegacyTx'],
    ['c9820001808080808080808080', 'rlp: input contains more than one value'],
    ['cb8200018080808080808080', 'rlp: non-canonical integer (leading zero bytes) for uint64'],
    ['cb8080808200018080808080', 'rlp: input string too short for common.Address'],
    ['c9c08080808080808080', 'rlp: expected input string or byte for uint64'],
  ])('bytes %j are refused as geth does', (input, message) => {
    expect(() => decodeTransaction(hexToBytes(input))).toThrow(message);
  });
});

const LEGACY: UnsignedEvmTransaction = {
  type: 0,
  chainId: CHAIN_ID,
  nonce: 1n,
  gasLimit: 21_000n,
  gasPrice: 10n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 10n,
  to: ADDRESS,
  value: 5n,
  data: new Uint8Array(0),
  accessList: [],
  authorizationList: [],
};

function libraryAuthorization(authorization: UnsignedEvmTransaction['authorizationList'][number]) {
  const quantity = (value: bigint): string => `0x${value.toString(16)}`;
  return {
    chainId: quantity(authorization.chainId),
    address: hex(authorization.address),
    nonce: quantity(authorization.nonce),
    yParity: quantity(authorization.yParity),
    r: quantity(authorization.r),
    s: quantity(authorization.s),
  };
}

/** Buffers and byte arrays compare equal as hex. */
function normal(value: unknown): unknown {
  if (value instanceof Uint8Array) return hex(value);
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, normal(field)]));
}
