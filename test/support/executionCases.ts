import { type Hex, toHex } from 'viem';
import type { Random } from './random.ts';
import { type ProgramPool, precompile, randomBytes, randomProgram } from './randomPrograms.ts';

/** One call and the world that it runs in, as `debug_traceCall` takes them: no chain has to be alike for it. */
export interface ExecutionCase {
  readonly call: Readonly<Record<string, unknown>>;
  readonly stateOverrides: Readonly<Record<Hex, Readonly<Record<string, unknown>>>>;
  readonly blockOverrides: Readonly<Record<string, unknown>>;
}

const CALLER: Hex = `0x${'ca'.repeat(20)}`;
const CONTRACTS: readonly Hex[] = ['c1', 'c2', 'c3', 'c4'].map((byte): Hex => `0x${byte.repeat(20)}`);
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

export function executionCase(random: Random): ExecutionCase {
  const accounts = CONTRACTS.map((address) => {
    const pieces = 2 + random.below(10);
    const slots = Array.from({ length: random.below(4) }, (_, slot) => [
      toHex(slot, { size: 32 }),
      toHex(random.below(3), { size: 32 }),
    ]);
    return [
      address,
      {
        nonce: '0x1',
        balance: toHex(random.pick([0n, 1n, 10n ** 18n])),
        code: `0x${randomProgram(random, POOL, pieces)}`,
        stateDiff: Object.fromEntries(slots),
      },
    ] as const;
  });
  const target = random.below(12) === 0 ? precompile(1 + random.below(0x11)) : random.pick(POOL.contracts);
  const isCreation = random.below(8) === 0;
  const data = isCreation
    ? `0x${randomProgram(random, POOL, 2 + random.below(10))}`
    : randomBytes(random, random.below(200));
  return {
    call: {
      from: CALLER,
      ...(isCreation ? {} : { to: target }),
      gas: toHex(random.pick([60_000, 120_000, 300_000, 1_000_000, 5_000_000])),
      value: toHex(random.pick([0n, 0n, 1n, 10n ** 12n])),
      input: data,
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
    blockOverrides: BLOCK,
  };
}
