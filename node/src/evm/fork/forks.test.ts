import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../primitives/index.ts';
import { EMPTY_STATE, Overlay } from '../../state/view/index.ts';
import { warmInitialAccess } from '../accessList.ts';
import { createEvmEngine } from '../createEvmEngine.ts';
import type { EvmExecutionResult, EvmHost } from '../evmEngine.ts';
import { CALLER, CONTRACT, OTHER, testHost, testMessage } from '../evmTestHost.ts';
import type { EvmTracer } from '../evmTracer.ts';
import { isStandardPrecompile } from '../precompile/standardAddresses.ts';
import { EVM_FORKS, type EvmFork, hasFork } from './evmFork.ts';
import { forkAt, readForks, writeForks } from './forkSchedule.ts';

const CHAIN_ID = 713_714n;
const ENGINES = {
  wasm: createEvmEngine({ chainId: CHAIN_ID }),
  translating: createEvmEngine({ chainId: CHAIN_ID, hotGas: 0 }),
  reference: createEvmEngine({ chainId: CHAIN_ID, kind: 'reference' }),
};
type Kind = keyof typeof ENGINES;
const KINDS: readonly Kind[] = ['wasm', 'translating', 'reference'];
/** Its code hands on to another account, from Prague on. */
const DELEGATING = new Uint8Array(20).fill(0xcd);
/** As the one before, to itself. */
const LOOPING = new Uint8Array(20).fill(0xce);
const SLOT = new Uint8Array(32).fill(3);

async function runAt(
  fork: EvmFork,
  { kind, code, gasLimit, tracer }: { kind: Kind; code: string; gasLimit?: bigint; tracer?: EvmTracer },
): Promise<{ result: EvmExecutionResult; host: EvmHost }> {
  const usual = testHost(tracer);
  const host = { ...usual, block: { ...usual.block, fork } };
  host.state.setCode(CONTRACT, hexToBytes(code));
  host.state.setCode(DELEGATING, hexToBytes(`ef0100${bytesToHex(OTHER)}`));
  host.state.setCode(LOOPING, hexToBytes(`ef0100${bytesToHex(LOOPING)}`));
  host.state.setStorage(CONTRACT, SLOT, Uint8Array.of(1));
  host.state.setBalance(CONTRACT, 5n);
  host.state.beginTransaction();
  const access = { sender: CALLER, to: CONTRACT, coinbase: host.block.coinbase, accessList: [], fork };
  warmInitialAccess(host.state, access);
  const result = await ENGINES[kind].execute(testMessage(gasLimit === undefined ? {} : { gasLimit }), host);
  host.state.endTransaction();
  return { result, host };
}

/** How frames end, in the words that a tracer is told. */
async function exitOf(
  fork: EvmFork,
  { kind, code, gasLimit }: { kind: Kind; code: string; gasLimit: bigint },
): Promise<(string | undefined)[]> {
  const exits: (string | undefined)[] = [];
  const tracer: EvmTracer = { onExit: (exit) => void exits.push(exit.error) };
  // Only where it steps does the library tell all of these apart.
  if (kind === 'reference') tracer.onStep = () => undefined;
  await runAt(fork, { kind, code, gasLimit, tracer });
  return exits;
}

/** Opcodes and precompiles with the fork that brought them: code that is good from then on. */
const BROUGHT: readonly (readonly [string, EvmFork, string])[] = [
  ['BASEFEE', 'london', '48600052'],
  ['PUSH0', 'shanghai', '5f600052'],
  ['MCOPY', 'cancun', '6020600060205e'],
  ['TLOAD and TSTORE', 'cancun', '600160025d60025c600052'],
  ['BLOBHASH and BLOBBASEFEE', 'cancun', '6000494a01600052'],
  ['CLZ', 'osaka', '60011e600052'],
];

describe('forks', () => {
  it.each(BROUGHT)('have %s from %s on', async (_name, first, code) => {
    for (const fork of EVM_FORKS) {
      for (const kind of KINDS) {
        const { result } = await runAt(fork, { kind, code });
        expect(result.error === undefined, `${kind} at ${fork}: ${result.error}`).toBe(hasFork(fork, first));
      }
    }
  });

  it.each([
    ['0x0a (KZG)', 'cancun', 0x0a],
    ['0x11 (BLS12-381)', 'prague', 0x11],
    ['0x0100 (P-256)', 'osaka', 0x100],
  ] as const)('have the precompile %s, warm, from %s on', async (_name, first, number) => {
    const code = `60006000600060006000${`61${number.toString(16).padStart(4, '0')}`}62100000f160005260206000f3`;
    const address = hexToBytes(number.toString(16).padStart(40, '0'));
    for (const fork of EVM_FORKS) {
      expect(isStandardPrecompile(address, fork)).toBe(hasFork(fork, first));
      const [ours, theirs] = [
        await runAt(fork, { kind: 'wasm', code }),
        await runAt(fork, { kind: 'reference', code }),
      ];
      expect(ours.result).toEqual(theirs.result);
    }
  });

  it('remove an account that destroys itself, with all its storage, until Cancun', async () => {
    const code = `73${bytesToHex(OTHER)}ff`;
    for (const fork of EVM_FORKS) {
      for (const kind of KINDS) {
        const { result, host } = await runAt(fork, { kind, code });
        const isGone = !hasFork(fork, 'cancun');
        expect(result.error).toBeUndefined();
        expect(result.gasRefund).toBe(hasFork(fork, 'london') ? 0n : 24_000n);
        expect(host.state.codeSize(CONTRACT)).toBe(isGone ? 0 : 22);
        expect(host.state.storage(CONTRACT, SLOT).at(-1)).toBe(isGone ? 0 : 1);
        expect(host.state.balance(CONTRACT)).toBe(0n);
        expect(host.state.balance(OTHER)).toBe(5n);
      }
    }
  });

  it('give back less for cleared slots from London on', async () => {
    const code = `60007f${bytesToHex(SLOT)}55`;
    for (const kind of KINDS) {
      expect((await runAt('berlin', { kind, code })).result.gasRefund).toBe(15_000n);
      expect((await runAt('london', { kind, code })).result.gasRefund).toBe(4_800n);
    }
  });

  it('follow from delegations from Prague on', async () => {
    const code = `ef0100${bytesToHex(OTHER)}`;
    for (const kind of KINDS) {
      expect((await runAt('cancun', { kind, code })).result.error).toBe(
        'invalid opcode: opcode 0xef not defined',
      );
      expect((await runAt('prague', { kind, code })).result.error).toBeUndefined();
    }
  });

  it('price no delegation of a callee before Prague', async () => {
    // All that comes after the opcode and a cold callee is missing: what a delegation costs, or a value.
    const code = `5f5f5f5f600173${bytesToHex(DELEGATING)}5af1`;
    const gasLimit = 16n + 100n + 2_500n;
    for (const kind of KINDS) {
      for (const [fork, error] of [
        ['shanghai', 'out of gas'],
        ['prague', 'out of gas: out of gas'],
      ] as const) {
        const exits = await exitOf(fork, { kind, code, gasLimit });
        expect([kind, fork, ...exits]).toEqual([kind, fork, error]);
      }
    }
  });

  it('have an account that delegates to itself looked at once', async () => {
    const code = `5f5f5f5f600173${bytesToHex(LOOPING)}5af1`;
    const looked = 16n + 100n + 2_500n + 100n;
    for (const kind of KINDS) {
      expect(await exitOf('prague', { kind, code, gasLimit: looked })).toEqual(['out of gas']);
      expect(await exitOf('prague', { kind, code, gasLimit: looked - 1n })).toEqual([
        'out of gas: out of gas',
      ]);
    }
  });
});

describe('the schedule of forks', () => {
  it('is Prague from the first block on, unless genesis wrote another', () => {
    const overlay = new Overlay(EMPTY_STATE);
    expect(forkAt(overlay, 0)).toBe('prague');
    writeForks(overlay, [
      { fork: 'berlin', height: 0 },
      { fork: 'shanghai', height: 10 },
      { fork: 'osaka', height: 10 },
    ]);
    expect(readForks(overlay)).toHaveLength(3);
    expect([0, 9, 10, 1_000].map((height) => forkAt(overlay, height))).toEqual([
      'berlin',
      'berlin',
      'osaka',
      'osaka',
    ]);
  });
});
