import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  isDynamic,
} from '../../../node/src/evm/precompile/abi/abiType.ts';
import { encodeAbi } from '../../../node/src/evm/precompile/abi/encodeAbi.ts';
import { bigintToFixedBytes, concatBytes, toBech32 } from '../../../node/src/primitives/index.ts';
import type { Random } from '../random.ts';
import { account, accountText, operatorText } from '../validatorChain.ts';
import type { PlacedMethod } from './precompileMethods.ts';

const WORD = 32;
const NUMBERS = [
  0n,
  1n,
  2n,
  31n,
  32n,
  33n,
  64n,
  2n ** 31n,
  2n ** 53n,
  2n ** 64n,
  2n ** 255n,
  2n ** 256n - 1n,
];

/** Call data as a compiler writes it. */
export function abiCall({ selector, inputs }: PlacedMethod, values: readonly AbiValue[]): Uint8Array {
  return concatBytes(selector, encodeAbi(inputs, values));
}

/** Call data of a method: good, with words changed, cut, or with many offsets that lead to one place. */
export function hostileAbi(random: Random, method: PlacedMethod): Uint8Array {
  const good = encodeAbi(
    method.inputs,
    method.inputs.map(({ type }) => randomValue(random, type)),
  );
  const body = random.pick<() => Uint8Array>([
    () => good,
    () => changedWords(random, good),
    () => good.subarray(0, random.below(good.length + 1)),
    () => sharedOffsets(random, method.inputs),
  ])();
  return concatBytes(method.selector, body);
}

function randomValue(random: Random, type: AbiType): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return BigInt.asUintN(type.bits - 1, random.pick(NUMBERS));
    case 'bool':
      return random.below(2) === 1;
    case 'address':
      return account(random.below(8));
    case 'string':
      return random.pick([
        () => operatorText(random.below(3)),
        () => accountText(random.below(8)),
        () => 'usei',
        () => toBech32(new Uint8Array(random.below(30))),
        () => 'x'.repeat(random.below(200)),
      ])();
    case 'bytes':
      return Uint8Array.from({ length: random.below(80) }, () => random.below(256));
    case 'array':
      return Array.from({ length: random.below(5) }, () => randomValue(random, type.of));
    case 'tuple':
      return type.members.map((member) => randomValue(random, member.type));
  }
}

function changedWords(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (let count = 1 + random.below(3); count > 0 && bytes.length > 0; count--) {
    const at = WORD * random.below(bytes.length / WORD);
    changed.set(bigintToFixedBytes(random.pick(NUMBERS), WORD), at);
  }
  return changed;
}

/** Lists whose items all lie at one place: small as bytes, large as values. */
function sharedOffsets(random: Random, inputs: readonly AbiParameter[]): Uint8Array {
  const count = random.pick([2, 40, 900]);
  const words = inputs.map(({ type }, i) => (isDynamic(type) ? BigInt(WORD * inputs.length) : BigInt(i)));
  const offsets = Array.from({ length: count }, () => BigInt(WORD * count));
  const length = random.pick([0n, 32n, 1_000n]);
  const all = [...words, BigInt(count), ...offsets, length];
  const text = new Uint8Array(Number(length)).fill(0x61);
  return concatBytes(...all.map((word) => bigintToFixedBytes(word, WORD)), text);
}

/** One list of texts, all of them the same one kilobyte. */
export function offsetsToOneText(count: number): Uint8Array {
  const words = [WORD, count, ...Array.from({ length: count }, () => WORD * count), 1_024];
  return concatBytes(...words.map((word) => bigintToFixedBytes(BigInt(word), WORD)), new Uint8Array(1_024));
}
