import { bls12_381 } from '@noble/curves/bls12-381.js';
import { p256 } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bigintToFixedBytes, bytesToHex, concatBytes, sha256, signDigest } from '../../primitives/index.ts';
import type { EvmFork } from '../fork/evmFork.ts';
import { hasNative } from './native.ts';
import { type OracleAnswer, openOracle } from './oracle.fixture.ts';
import { BLS, BN, bytes, element, factor, g1, g1Bytes, g2, g2Bytes, odd } from './points.fixture.ts';
import { runStandard, type StandardOutcome } from './standardPrecompile.ts';
import { type PrecompileForm, standardPrecompilesOf } from './standardPrecompiles.ts';

/** Inputs of each precompile; the soak has many more. */
const RUNS = Number(process.env.PRECOMPILE_RUNS ?? 12);
const GAS = 10n ** 8n;
const FORKS: readonly EvmFork[] = ['cancun', 'prague', 'osaka'];
const FORMS: readonly PrecompileForm[] = hasNative ? ['portable', 'native'] : ['portable'];

type Oracle = Awaited<ReturnType<typeof openOracle>>;
const oracles = new Map<EvmFork, Oracle>();

const word = (value: number | bigint) => bigintToFixedBytes(BigInt(value), 32);
const list = (item: fc.Arbitrary<Uint8Array>, most: number) =>
  fc.array(item, { maxLength: most }).map((items) => concatBytes(...items));
const joined = (...parts: fc.Arbitrary<Uint8Array>[]) => fc.tuple(...parts).map((all) => concatBytes(...all));
const any = fc.uint8Array({ maxLength: 400 });

const signature256k1 = fc
  .tuple(bytes(32), fc.constantFrom(27, 28), fc.boolean())
  .map(([digest, v, isReal]) => {
    const { signature, recoveryId } = signDigest(digest, new Uint8Array(32).fill(3));
    return concatBytes(digest, word(isReal ? 27 + recoveryId : v), signature);
  });
const changed = (input: fc.Arbitrary<Uint8Array>) =>
  fc.tuple(input, fc.nat(), fc.nat(255)).map(([whole, at, by]) => {
    const other = Uint8Array.from(whole);
    other[at % other.length]! ^= by;
    return other;
  });

const p256Key = p256.getPublicKey(new Uint8Array(32).fill(5), false).subarray(1);
const signatureP256 = bytes(32).map((digest) => {
  const signed = p256.sign(digest, new Uint8Array(32).fill(5), { prehash: false, lowS: false });
  return concatBytes(digest, signed, p256Key);
});
const P256_ORDER = p256.Point.Fn.ORDER;
const p256Edge = fc.constantFrom(0n, 1n, P256_ORDER - 1n, P256_ORDER, P256_ORDER + 1n).map(word);

const size = fc.oneof(fc.nat(9), fc.constantFrom(15, 16, 31, 32, 33, 64, 65, 100, 256, 257));
const modexpInput = fc.tuple(size, size, size).chain(([base, exponent, modulus]) => {
  const edge = (length: number) =>
    fc.oneof(
      bytes(length),
      bytes(length).map((value) => value.map((byte, at) => (at < length / 2 ? byte : 0))),
      bytes(length).map((value) => value.map((byte, at) => (at < length - 2 ? 0 : byte))),
      fc.constant(new Uint8Array(length).fill(0xff)),
    );
  const lengths = fc.constant(concatBytes(word(base), word(exponent), word(modulus)));
  return joined(lengths, edge(base), edge(exponent), edge(modulus));
});

const tripled = (group: 'g1' | 'g2') => {
  const item = group === 'g1' ? g1(BLS) : g2(BLS);
  return list(joined(item, factor(BLS)), 4);
};
/** Pairs whose product is one: e(P, Q) · e(−P, Q). */
const cancelling = (encoding: typeof BLS) =>
  fc.bigInt({ min: 1n, max: 2n ** 64n }).map((k) => {
    const { G1, G2 } = encoding.curve;
    const point = G1.Point.BASE.multiplyUnsafe(k);
    const other = g2Bytes(encoding, G2.Point.BASE.multiplyUnsafe(k + 1n));
    return concatBytes(g1Bytes(encoding, point), other, g1Bytes(encoding, point.negate()), other);
  });

/** A constant polynomial's proof is infinity, and anything's for a commitment that is none. */
const evaluation = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n }), factor(BLS), fc.boolean())
  .map(([value, z, isRight]) => {
    const { Point } = bls12_381.G1;
    const commitment = (value === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(value)).toBytes(true);
    const proof = Point.ZERO.toBytes(true);
    const hash = Uint8Array.from(sha256(commitment));
    hash[0] = 1;
    return concatBytes(hash, z, word(isRight ? value : value + 1n), commitment, proof);
  });

const INPUTS: readonly (readonly [number, fc.Arbitrary<Uint8Array>])[] = [
  [0x01, fc.oneof(signature256k1, odd(changed(signature256k1)), any)],
  [0x02, any],
  [0x03, any],
  [0x04, any],
  [0x05, fc.oneof({ weight: 5, arbitrary: modexpInput }, odd(modexpInput), any)],
  [0x06, odd(joined(g1(BN), g1(BN)))],
  [0x07, odd(joined(g1(BN), factor(BN)))],
  [0x08, fc.oneof(odd(list(joined(g1(BN), g2(BN)), 2)), cancelling(BN))],
  [
    0x09,
    odd(
      fc
        .tuple(fc.nat(40), bytes(208), fc.nat(2))
        .map(([rounds, rest, flag]) => concatBytes(word(rounds).subarray(28), rest, Uint8Array.of(flag))),
    ),
  ],
  [0x0a, fc.oneof(evaluation, changed(evaluation), odd(evaluation))],
  [0x0b, odd(joined(g1(BLS), g1(BLS)))],
  [0x0c, odd(tripled('g1'))],
  [0x0d, odd(joined(g2(BLS), g2(BLS)))],
  [0x0e, odd(tripled('g2'))],
  [0x0f, fc.oneof(odd(list(joined(g1(BLS), g2(BLS)), 2)), cancelling(BLS))],
  [0x10, odd(element(BLS))],
  [0x11, odd(joined(element(BLS), element(BLS)))],
  [
    0x0100,
    fc.oneof(
      signatureP256,
      odd(changed(signatureP256)),
      joined(bytes(32), p256Edge, p256Edge, fc.constant(p256Key)),
      any,
    ),
  ],
];

interface Asked {
  readonly fork: EvmFork;
  readonly address: string;
  readonly input: Uint8Array;
  readonly gasLimit: bigint;
}

/** Both forms have one answer, to the text of a failure. */
async function ours({ fork, address, input, gasLimit }: Asked): Promise<OracleAnswer> {
  const answers = FORMS.map(async (form) => {
    const precompile = standardPrecompilesOf(fork, form).get(address)!;
    return await runStandard(precompile, { input, gasLimit, fork });
  });
  const [portable, ...others] = await Promise.all(answers);
  for (const other of others) expect(plain(other)).toEqual(plain(portable!));
  const { gasUsed, output, error } = portable!;
  return { gasUsed, output: bytesToHex(output), failed: error !== undefined };
}

function plain({ output, ...rest }: StandardOutcome): object {
  return { ...rest, output: bytesToHex(output) };
}

describe('standard precompiles', () => {
  beforeAll(async () => {
    for (const fork of FORKS) oracles.set(fork, await openOracle(fork));
  });

  test.each(INPUTS)('number %i is as pure code has it, on any input', async (number, inputs) => {
    const address = number.toString(16).padStart(40, '0');
    const forks = FORKS.filter((fork) => standardPrecompilesOf(fork).has(address));
    await fc.assert(
      fc.asyncProperty(inputs, fc.constantFrom(...forks), async (input, fork) => {
        const expected = await oracles.get(fork)!(address, input, GAS);
        expect(await ours({ fork, address, input, gasLimit: GAS })).toEqual(expected);
        // One gas less than it takes is too little, and takes all of it.
        const less = expected.failed ? 100n : expected.gasUsed - 1n;
        if (less < 0n) return;
        expect(await ours({ fork, address, input, gasLimit: less })).toEqual(
          await oracles.get(fork)!(address, input, less),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
