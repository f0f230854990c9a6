import { createHash } from 'node:crypto';
import type { Random } from './random.ts';
import { randomBytes } from './randomPrograms.ts';

const zeros = (bytes: number): string => '00'.repeat(bytes);
const word = (value: number): string => value.toString(16).padStart(64, '0');
const POINT_AT_INFINITY = `c0${zeros(47)}`;
const versionedHash = `01${createHash('sha256').update(Buffer.from(POINT_AT_INFINITY, 'hex')).digest('hex').slice(2)}`;
const BLAKE2B_STATE =
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b';
const BN254_DOUBLED = `${word(1)}${word(2)}${word(1)}${word(2)}`;

/** An input that each of 0x01 to 0x11 accepts. */
const ACCEPTED: Readonly<Record<number, string>> = {
  1: `456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3${word(28)}9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac80388256084f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada`,
  2: '616263',
  3: '616263',
  4: '01020304',
  5: `${word(1)}${word(1)}${word(1)}08090a`,
  6: BN254_DOUBLED,
  7: `${word(1)}${word(2)}${word(7)}`,
  8: zeros(192),
  9: `0000000c${BLAKE2B_STATE}616263${zeros(125)}0300000000000000000000000000000001`,
  10: `${versionedHash}${zeros(64)}${POINT_AT_INFINITY}${POINT_AT_INFINITY}`,
  11: zeros(256),
  12: zeros(160),
  13: zeros(512),
  14: zeros(288),
  15: zeros(384),
  16: zeros(64),
  17: zeros(128),
};

/** What a standard precompile accepts, mostly: at times a byte is another, or some are missing. */
export function precompileInput(random: Random, number: number): string {
  const input = ACCEPTED[number]!;
  const kind = random.below(6);
  if (kind === 0) return input.slice(0, 2 * random.below(input.length / 2));
  if (kind > 1) return input;
  const at = 2 * random.below(input.length / 2);
  return input.slice(0, at) + randomBytes(random, 1).slice(2) + input.slice(at + 2);
}
