import { type Hex, toHex } from 'viem';
import { anyOpcode, pushWord } from './opcodePieces.ts';
import { precompileInput } from './precompileInputs.ts';
import type { Random } from './random.ts';
import { type ProgramPool, precompile, randomBytes, randomProgram } from './randomPrograms.ts';

/** One call and the world that it runs in, as `debug_traceCall` takes them: no chain has to be alike for it. */
export interface ExecutionCase {
  readonly call: Readonly<Record<string, unknown>>;
  readonly stateOverrides: Readonly<Record<Hex, Readonly<Record<string, unknown>>>>;
  readonly blockOverrides: Readonly<Record<string, unknown>>;
}

const PRECOMPILES = 0x11;
const CALLER: Hex = `0x${'ca'.repeat(20)}`;
const CONTRACTS: readonly Hex[] = ['c1', 'c2', 'c3', 'c4'].map((name): Hex => `0x${name.repeat(20)}`);
const DELEGATING: Hex = `0x${'de'.repeat(20)}`;
const EMPTY: Hex = `0x${'ee'.repeat(20)}`;
const POOL: ProgramPool = { contracts: [...CONTRACTS, DELEGATING], accounts: [CALLER, EMPTY] };
const BLOCK = {
  number: '0x12c',
  time: '0x6553f100',
  gasLimit: '0x2160ec0',
  feeRecipient: '0x27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f',
  prevRandao: `0x${'7a'.repeat(32)}`,
  baseFeePerGas: '0x7',
  blobBaseFee: '0x3',
};

/** With `ofTheBlock` also what the block opcodes show, which the peer must then be able to pretend. */
export function executionCase(random: Random, ofTheBlock = true): ExecutionCase {
  const program = () => mixedProgram(random, 2 + random.below(12), ofTheBlock);
  const accounts = CONTRACTS.map((address) => [address, contract(random, program())] as const);
  const isCreation = random.below(8) === 0;
  const isPrecompile = !isCreation && random.below(12) === 0;
  const number = 1 + random.below(PRECOMPILES);
  const target = isPrecompile ? precompile(number) : random.pick(POOL.contracts);
  const data = isCreation ? program() : isPrecompile ? precompileInput(random, number) : '';
  return {
    call: {
      from: CALLER,
      ...(isCreation ? {} : { to: target }),
      gas: toHex(
        random.pick(isCreation ? [300_000, 5_000_000] : [60_000, 120_000, 300_000, 1_000_000, 5_000_000]),
      ),
      value: toHex(random.pick([0n, 0n, 1n, 10n ** 12n])),
      input: data === '' ? randomBytes(random, random.below(200)) : `0x${data}`,
      ...(random.below(4) === 0 && {
        accessList: [
          { address: random.pick(CONTRACTS), storageKeys: [toHex(random.below(4), { size: 32 })] },
        ],
      }),
    },
    stateOverrides: {
      [CALLER]: { balance: toHex(10n ** 20n), nonce: '0x5' },
      [DELEGATING]: { nonce: '0x1', balance: '0x64', code: `0xef0100${random.pick(CONTRACTS).slice(2)}` },
      ...Object.fromEntries(accounts),
    },
    blockOverrides: ofTheBlock ? BLOCK : {},
  };
}

function contract(random: Random, code: string) {
  const slots = Array.from({ length: random.below(4) }, (_, slot) => [
    toHex(slot, { size: 32 }),
    toHex(random.below(3), { size: 32 }),
  ]);
  return {
    nonce: '0x1',
    balance: toHex(random.pick([0n, 1n, 10n ** 18n])),
    code: `0x${code}`,
    stateDiff: Object.fromEntries(slots),
  };
}

/** Pieces that call and create, any opcodes, and calls of precompiles with what they accept. */
function mixedProgram(random: Random, pieces: number, ofTheBlock: boolean): string {
  const kinds: (() => string)[] = [
    () => randomProgram(random, POOL, 1),
    () => anyOpcode(random, ofTheBlock),
    () => anyOpcode(random, ofTheBlock),
    () => anyOpcode(random, ofTheBlock),
    () => (random.below(2) === 0 ? precompileCall(random) : ''),
  ];
  return Array.from({ length: pieces }, () => random.pick(kinds)()).join('');
}

function precompileCall(random: Random): string {
  const number = 1 + random.below(PRECOMPILES);
  const input = precompileInput(random, number);
  const words = input.match(/.{1,64}/g) ?? [];
  const stored = words.map((text, at) => `7f${text.padEnd(64, '0')}${pushWord(BigInt(at * 32))}52`).join('');
  const kind = random.pick(['f1', 'f2', 'f4', 'fa']);
  const value = kind === 'f1' || kind === 'f2' ? '5f' : '';
  const call = `5f5f${pushWord(BigInt(input.length / 2))}5f${value}60${number.toString(16).padStart(2, '0')}`;
  // Whether it went well, and what it gave.
  return `${stored}${call}5a${kind}6006553d5f5f3e3d5f20600755`;
}
