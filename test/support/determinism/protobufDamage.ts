import { ProtobufWriter, readFields } from '../../../node/src/evm/envelope/protobuf.ts';
import { concatAll, concatBytes, writeUvarint } from '../../../node/src/primitives/index.ts';
import type { Random } from '../random.ts';

/** A field with a length of its own. */
export function lengthDelimited(number: number, value: Uint8Array): Uint8Array {
  return new ProtobufWriter().message(number, value).finish();
}

/** `levels` messages, one in the other, each by the field numbers in turn; `inside` is the innermost. */
export function nested(numbers: readonly number[], levels: number, inside: Uint8Array): Uint8Array {
  // From the inside out, each head once: copying what lies within at each level would take a second.
  const heads: Uint8Array[] = [];
  let length = inside.length;
  for (let level = levels - 1; level >= 0; level--) {
    const tag = writeUvarint(numbers[level % numbers.length]! * 8 + 2);
    const head = concatBytes(tag, writeUvarint(length));
    heads.push(head);
    length += head.length;
  }
  return concatAll([...heads.reverse(), inside]);
}

/** Groups in groups: a form that proto3 does not have, and that decoders pass over by recursion. */
export function groups(number: number, levels: number, isClosed = true): Uint8Array {
  const start = writeUvarint((number << 3) | 3);
  const end = writeUvarint((number << 3) | 4);
  const opened = Array.from({ length: levels }, () => start);
  return concatAll([...opened, ...(isClosed ? opened.map(() => end) : [])]);
}

const NUMBERS = [0, 1, 2, 3, 4, 5, 7, 1023, 1031, 2047, 2 ** 28];

/** Bytes set, cut, put in or doubled, wherever they lie. */
export function damagedBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const result = [...bytes];
  for (let wounds = 1 + random.below(3); wounds > 0; wounds--) {
    const at = random.below(result.length + 1);
    const kind = random.below(4);
    if (kind === 0) result[Math.min(at, result.length - 1)] = random.below(256);
    else if (kind === 1) result.splice(at, 1 + random.below(4));
    else if (kind === 2) result.splice(at, 0, random.below(256));
    else result.splice(at, 0, ...result.slice(at, at + random.below(32)));
  }
  return Uint8Array.from(result);
}

/** A message with one field, at any depth, left out, doubled, moved, renumbered or of another kind. */
export function damagedMessage(random: Random, bytes: Uint8Array): Uint8Array {
  const fields = readFields(bytes);
  if (!fields || fields.length === 0 || random.below(8) === 0) return damagedBytes(random, bytes);
  const parts = fields.map(({ number, value }) => fieldOf(number, value));
  const at = random.below(fields.length);
  const { number, value } = fields[at]!;
  const changes: (() => void)[] = [
    () => parts.splice(at, 1),
    () => parts.splice(random.below(parts.length + 1), 0, parts[at]!),
    () => parts.reverse(),
    () => parts.splice(at, 1, fieldOf(random.pick(NUMBERS), value)),
    () => parts.splice(at, 1, fieldOf(number, typeof value === 'bigint' ? new Uint8Array(3) : 7n)),
    () => parts.push(groups(random.pick(NUMBERS), random.pick([1, 3, 40]))),
    () => parts.splice(at, 1, fieldOf(number, inner(random, value))),
    () => parts.splice(at, 1, fieldOf(number, inner(random, value))),
    () => parts.splice(at, 1, fieldOf(number, inner(random, value))),
  ];
  random.pick(changes)();
  return concatBytes(...parts);
}

function inner(random: Random, value: bigint | Uint8Array): bigint | Uint8Array {
  if (typeof value !== 'bigint') return damagedMessage(random, value);
  return random.pick([0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n]);
}

function fieldOf(number: number, value: bigint | Uint8Array): Uint8Array {
  if (typeof value !== 'bigint') return lengthDelimited(number, value);
  return concatBytes(writeUvarint(number * 8), writeUvarint(value));
}
