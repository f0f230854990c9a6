import type { Hex } from 'viem';
import type { Random } from './random.ts';

/** What random code may touch. Addresses with 0x. */
export interface ProgramPool {
  readonly contracts: readonly Hex[];
  readonly accounts: readonly Hex[];
}

const SLOTS = 8;
const PRECOMPILES = 0x11;
const WORDS = [0n, 1n, 31n, 255n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n];
const BINARY = '01 02 03 04 05 06 07 0a 0b 10 11 12 13 14 16 17 18 1a 1b 1c 1d'.split(' ');
const ENDINGS = [
  '',
  '00',
  '60205ff3',
  '3d5f5f3e3d5ff3',
  '5f5ffd',
  '60205ffd',
  'fe',
  '50',
  '60ff56',
  'ef',
  '5f1951',
];
const ENVIRONMENT = [
  '36',
  '34',
  '33',
  '32',
  '3a',
  '46',
  '47',
  '30',
  '38',
  '58',
  '59',
  '5a',
  '3d',
  '5f35',
  '5f49',
];

const byte = (value: number): string => value.toString(16).padStart(2, '0');

function push(value: bigint | number): string {
  if (BigInt(value) === 0n) return '5f';
  const digits = value.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  return byte(0x5f + bytes.length / 2) + bytes;
}

export function precompile(number: number): Hex {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export function randomBytes(random: Random, length: number): Hex {
  return `0x${Array.from({ length }, () => byte(random.below(256))).join('')}`;
}

/** Init code that runs `prefix` and deploys `runtime`. */
export function deployer(runtime: string, prefix = ''): Hex {
  const length = (runtime.length / 2).toString(16).padStart(4, '0');
  const offset = (13 + prefix.length / 2).toString(16).padStart(4, '0');
  return `0x${prefix}61${length}61${offset}5f3961${length}5ff3${runtime}`;
}

/** Code of some pieces that do not depend on the block: most run to the end, some fail on the way. */
export function randomProgram(random: Random, pool: ProgramPool, pieces: number, depth = 0): string {
  const code = Array.from({ length: pieces }, () => piece(random, pool, depth)).join('');
  return code + (random.below(3) === 0 ? random.pick(ENDINGS) : '');
}

function piece(random: Random, pool: ProgramPool, depth: number): string {
  const slot = (): string => push(random.below(SLOTS));
  const word = (): string => push(random.pick(WORDS));
  const small = (): string => push(random.below(100));
  const address = (): string => randomAddress(random, pool);
  const kinds: (() => string)[] = [
    () => `${push(random.below(3))}${slot()}55`,
    () => `${slot()}54${slot()}55`,
    () => `${word()}${slot()}5d${slot()}5c${slot()}55`,
    () => `${word()}${word()}${random.pick(BINARY)}${slot()}55`,
    () => `${word()}${word()}${word()}${random.pick(['08', '09'])}${slot()}55`,
    () => randomCall(random, address()),
    () => randomCall(random, address()),
    () => randomCall(random, address()),
    () => (depth < 2 ? randomCreation(random, pool, depth + 1) : ''),
    () => `${random.pick(ENVIRONMENT)}${slot()}55`,
    () => `${address()}${random.pick(['31', '3b', '3f'])}${slot()}55`,
    () => `${small()}${small()}${small()}${address()}3c`,
    () => `${small()}${small()}${small()}${random.pick(['37', '39', '5e'])}`,
    () => `${small()}${small()}20${slot()}55`,
    () => `${word()}${word()}${small()}${small()}a2`,
    () => `${word()}${small()}${random.pick(['52', '53'])}`,
    () => (random.below(4) === 0 ? `${address()}ff` : ''),
  ];
  return random.pick(kinds)();
}

function randomAddress(random: Random, { contracts, accounts }: ProgramPool): string {
  const kinds: (() => string)[] = [
    () => '30',
    () => '33',
    () => `73${precompile(1 + random.below(PRECOMPILES)).slice(2)}`,
    () => `73${random.pick(accounts).slice(2)}`,
    () => `73${(contracts.length > 0 ? random.pick(contracts) : random.pick(accounts)).slice(2)}`,
  ];
  return random.pick([...kinds, kinds[4]!, kinds[4]!])();
}

/** Any kind of call; what became of it and what it returned goes to storage. */
function randomCall(random: Random, target: string): string {
  const kind = random.pick(['f1', 'f1', 'f2', 'f4', 'fa']);
  const value = kind === 'f1' || kind === 'f2' ? push(random.pick([0, 0, 1, 1000])) : '';
  const gas = random.pick(['5a', '5a', push(0), push(2_300), push(random.below(100_000)), push(2n ** 64n)]);
  const input = `${push(random.pick([0, 32]))}5f${push(random.pick([0, 4, 32, 128]))}5f`;
  const returned = random.pick(['', `3d${push(random.below(SLOTS))}55`, '3d5f5f3e', '60015f5f3e']);
  return `${input}${value}${target}${gas}${kind}${push(random.below(SLOTS))}55${returned}`;
}

/** CREATE or CREATE2, then a look at the code that came of it. */
function randomCreation(random: Random, pool: ProgramPool, depth: number): string {
  const odd = ['', '5f5ffd', '60ef5f5360015ff3', 'fe', '30ff', '33ff', '6160015ff3'];
  const runtime = randomProgram(random, pool, random.below(4), depth);
  const init = random.below(3) === 0 ? random.pick(odd) : deployer(runtime).slice(2);
  const words = init.match(/.{1,64}/g) ?? [];
  const stored = words.map((text, at) => `7f${text.padEnd(64, '0')}${push(at * 32)}52`).join('');
  const [salt, opcode] = random.below(2) === 0 ? ['', 'f0'] : [push(random.below(2)), 'f5'];
  const created = `${stored}${salt}${push(init.length / 2)}5f${push(random.below(2))}${opcode}`;
  return `${created}${random.pick(['', '3b', '3f'])}${push(random.below(SLOTS))}55`;
}
