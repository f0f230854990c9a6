import { describe, expect, test } from 'vitest';
import { bytesToBigint, bytesToHex, hexToBytes, padLeft } from '../../primitives/index.ts';
import { CALLER, CONTRACT, OTHER, runCode, runInTest, testHost } from '../evmTestHost.ts';
import type { EvmTracer } from '../evmTracer.ts';
import { instructionOf, Op } from '../instructions/index.ts';

const SLOT_0 = new Uint8Array(32);
const word = (value: number): Uint8Array => padLeft(hexToBytes(value.toString(16).padStart(8, '0')), 32);
/** Returns the word on top of the stack. */
const RETURN_TOP = '5f5260205ff3';
const CC = 'cc'.repeat(20);
const DD = 'dd'.repeat(20);
/** CALL(gas, address, value, no input, no output), leaves success on the stack. */
const callTo = (address: string, value = '5f'): string => `5f5f5f5f${value}73${address}5af1`;

describe('running code', () => {
  test('adds and returns, for the gas that the yellow paper asks', async () => {
    const result = await runCode(testHost(), `6002600301${RETURN_TOP}`);
    expect(bytesToBigint(result.returnData)).toBe(5n);
    // PUSH1 ×2, ADD, PUSH0, MSTORE with one word of memory, PUSH1, PUSH0
    expect(result.gasUsed).toBe(3n * 2n + 3n + 2n + 6n + 3n + 2n);
    expect(result.error).toBeUndefined();
  });

  test('shows the block and the transaction', async () => {
    const read = async (opcodes: string): Promise<bigint> =>
      bytesToBigint((await runCode(testHost(), opcodes + RETURN_TOP)).returnData);
    expect(await read('46')).toBe(713_714n);
    expect(await read('43')).toBe(300n);
    expect(await read('42')).toBe(1_700_000_000n);
    expect(await read('45')).toBe(35_000_000n);
    expect(await read('48')).toBe(7n);
    expect(await read('4a')).toBe(1n);
    expect(await read('5f49')).toBe(0n);
    expect(await read('3a')).toBe(11n);
    expect(await read('32')).toBe(bytesToBigint(CALLER));
    expect((await read('41')).toString(16)).toBe('27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f');
    expect(await read('61012b40')).toBe(bytesToBigint(new Uint8Array(32).fill(9)));
    expect(await read('61012a40')).toBe(0n);
    expect(await read('44')).toBe(bytesToBigint(testHost().block.prevRandao));
  });

  test('keeps storage, priced by EIP-2929 and EIP-3529', async () => {
    const host = testHost();
    const store = (value: string): string => `60${value}5f55`;
    const set = await runCode(host, store('2a'));
    expect(set.gasUsed).toBe(5n + 22_100n);
    expect(host.state.storage(CONTRACT, SLOT_0)).toEqual(word(42));
    const change = await runCode(host, store('2b'));
    expect(change.gasUsed).toBe(5n + 5_000n);
    const same = await runCode(host, store('2b'));
    expect(same.gasUsed).toBe(5n + 2_200n);
    const clear = await runCode(host, '5f5f55');
    expect([clear.gasUsed, clear.gasRefund]).toEqual([4n + 5_000n, 4_800n]);
    expect(
      host.state.overlay
        .changes()
        .some(({ changes }) => changes.some(({ key }) => key[0] === 3 && key.length === 53)),
    ).toBe(true);
    const setAndReset = await runCode(host, `${store('01')}5f5f55`);
    expect([setAndReset.gasUsed, setAndReset.gasRefund]).toEqual([5n + 22_100n + 4n + 100n, 19_900n]);
    const load = await runCode(host, `5f5450${'5f54'}`);
    expect(load.gasUsed).toBe(2n + 2_100n + 2n + 2n + 100n);
  });

  test('refuses an SSTORE with the stipend only', async () => {
    const result = await runCode(testHost(), '60015f55', { gasLimit: 2_305n });
    expect(result.error).toBe('out of gas: not enough gas for reentrancy sentry');
    expect(result.gasUsed).toBe(2_305n);
  });

  test('reverts with a reason and leaves no trace', async () => {
    const host = testHost();
    const result = await runCode(host, '60015f55602a5f5260205ffd');
    expect(result.error).toBe('execution reverted');
    expect(bytesToBigint(result.returnData)).toBe(42n);
    expect(result.gasUsed).toBeLessThan(30_000n);
    expect(result.gasRefund).toBe(0n);
    expect(host.state.storage(CONTRACT, SLOT_0)).toEqual(SLOT_0);
  });

  test('an inner revert undoes the inner frame only', async () => {
    const host = testHost();
    host.state.setCode(OTHER, hexToBytes('60015f5560015f5da05f5ffd'));
    const result = await runCode(host, `60025f55${callTo(DD)}60015500`);
    expect(result.error).toBeUndefined();
    expect(result.logs).toEqual([]);
    expect(host.state.storage(CONTRACT, SLOT_0)).toEqual(word(2));
    expect(host.state.storage(CONTRACT, word(1))).toEqual(SLOT_0);
    expect(host.state.storage(OTHER, SLOT_0)).toEqual(SLOT_0);
  });

  test.each([
    ['out of gas', '5b5f56'],
    ['invalid jump destination', '600456'],
    ['stack underflow (1 <=> 2)', '600101'],
    ['stack underflow (0 <=> 7)', 'f1'],
    ['stack underflow (0 <=> 2)', '55'],
    ['stack limit reached 1024 (1023)', `5b${'60015f56'.slice(0, 4)}5f56`],
    ['invalid opcode: opcode 0xef not defined', 'ef'],
    ['invalid opcode: opcode 0x21 not defined', '21'],
    ['invalid opcode: INVALID', 'fe'],
    ['return data out of bounds', '60015f5f3e'],
    ['gas uint64 overflow', '5f1951'],
    ['gas uint64 overflow', `7f${'01'.repeat(32)}5ff3`],
    ['gas uint64 overflow', '67ffffffffffffffff5f20'],
    ['out of gas: gas uint64 overflow', '67ffffffffffffffe05f20'],
    ['out of gas: gas uint64 overflow', '64ffffffffff5ff3'],
    ['out of gas', '62ffffff5ff3'],
  ])('fails with "%s" and takes all gas', async (error, code) => {
    const result = await runCode(testHost(), code);
    expect(result.error).toBe(error);
    expect(result.gasUsed).toBe(1_000_000n);
    expect(result.returnData).toEqual(new Uint8Array(0));
  });

  test('a write that has more than the stipend, but not enough, is plainly out of gas', async () => {
    expect((await runCode(testHost(), '60015f55', { gasLimit: 2_306n })).error).toBe('out of gas');
  });

  test('a static call cannot write, log, create, transfer or self-destruct', async () => {
    for (const code of ['60015f55', '5f5fa0', '5f5f5ff0', callTo(DD, '6001'), '5fff', '60015f5d']) {
      const result = await runCode(testHost(), code, { isStatic: true });
      expect(result.error).toBe('write protection');
    }
  });

  test('gives logs in order, with address, topics and data', async () => {
    const host = testHost();
    host.state.setCode(OTHER, hexToBytes('60075f5fa1'));
    const result = await runCode(host, `602a5f52600160026003600460205fa4${callTo(DD)}`);
    expect(result.logs.map(({ address }) => bytesToHex(address))).toEqual([CC, DD]);
    expect(result.logs[0]!.topics.map(bytesToBigint)).toEqual([4n, 3n, 2n, 1n]);
    expect(bytesToBigint(result.logs[0]!.data)).toBe(42n);
    expect(result.logs[1]!.topics.map(bytesToBigint)).toEqual([7n]);
  });

  test('transient storage lives for one transaction', async () => {
    const host = testHost();
    host.state.setCode(OTHER, hexToBytes(`5f5c${RETURN_TOP}`));
    const inside = await runCode(host, `602a5f5d5f5c${RETURN_TOP}`);
    expect(bytesToBigint(inside.returnData)).toBe(42n);
    const after = await runCode(host, `5f5c${RETURN_TOP}`);
    expect(bytesToBigint(after.returnData)).toBe(0n);
  });

  test('moves value, and a call beyond the balance fails without failing the caller', async () => {
    const host = testHost();
    host.state.setBalance(CALLER, 100n);
    const result = await runCode(
      host,
      `${callTo(DD, '6005')}60ff${callTo(DD, '60ff').slice(0)}01${RETURN_TOP}`,
      { value: 10n },
    );
    expect(result.error).toBeUndefined();
    expect([CALLER, CONTRACT, OTHER].map((address) => host.state.balance(address))).toEqual([90n, 5n, 5n]);
    const poor = await runInTest(host, { value: 91n });
    expect([poor.error, poor.gasUsed]).toEqual(['insufficient balance for transfer', 0n]);
  });

  test('recursion ends at depth 1024', async () => {
    const host = testHost();
    const result = await runCode(host, `5f546001015f55${callTo(CC)}`, { gasLimit: 2n ** 62n });
    expect(result.error).toBeUndefined();
    expect(bytesToBigint(host.state.storage(CONTRACT, SLOT_0))).toBe(1_025n);
  }, 60_000);

  test('runs the code that an account delegates to', async () => {
    const host = testHost();
    host.state.setCode(OTHER, hexToBytes('602a5f55'));
    const result = await runCode(host, `ef0100${DD}`);
    expect(result.error).toBeUndefined();
    expect(host.state.storage(CONTRACT, SLOT_0)).toEqual(word(42));
  });
});

describe('running at the same time', () => {
  test('executions with their own states do not disturb each other', async () => {
    const runs = Array.from({ length: 8 }, async (_, i) => {
      const host = testHost();
      const value = (i + 1).toString(16).padStart(2, '0');
      host.state.setCode(OTHER, hexToBytes(`60${value}5f55`));
      await runCode(host, `60${value}5f55${callTo(DD)}`);
      return [CONTRACT, OTHER].map((address) => Number(bytesToBigint(host.state.storage(address, SLOT_0))));
    });
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 8 }, (_, i) => [i + 1, i + 1]));
  });
});

describe('tracing', () => {
  test('reports frames by the opcode that opened them, steps and ends', async () => {
    const events: string[] = [];
    const tracer: EvmTracer = {
      onEnter: ({ kind, depth, to }) => events.push(`${depth} ${kind} ${bytesToHex(to).slice(0, 2)}`),
      onExit: ({ depth, error }) => events.push(`${depth} end ${error ?? 'ok'}`),
      onStep: ({ depth, opcode }) => events.push(`${depth} ${instructionOf(opcode).name}`),
    };
    const host = testHost(tracer);
    host.state.setCode(OTHER, hexToBytes('5f5ffd'));
    await runCode(host, `5f5f5f5f73${DD}5afa`);
    expect(events.filter((event) => !/PUSH|GAS/.test(event))).toEqual([
      '0 CALL cc',
      '1 STATICCALL',
      '1 STATICCALL dd',
      '2 REVERT',
      '1 end execution reverted',
      '1 STOP',
      '0 end ok',
    ]);
  });

  test('shows what a call hands on as part of its cost, as geth does', async () => {
    const costs: bigint[] = [];
    const host = testHost({
      onStep: ({ opcode, gas, gasCost }) => {
        if (opcode === Op.CALL) costs.push(gasCost, gas);
      },
    });
    await runCode(host, `5f5f5f5f5f73${DD}61fffff15f5f5f5f5f73${DD}5af1`);
    const [limited, , all, gas] = costs as [bigint, bigint, bigint, bigint];
    expect(limited).toBe(2_600n + 0xffffn);
    expect(all).toBe(100n + (gas - 100n) - (gas - 100n) / 64n);
  });

  test.each([
    ['f'.repeat(64), 'gas uint64 overflow'],
    ['80000000', 'out of gas'],
  ])('a REVERT of 0x%s bytes that cannot be paid is told', async (size, expected) => {
    const errors: (string | undefined)[] = [];
    const host = testHost({ onStep: ({ error }) => errors.push(error) });
    const push = (0x5f + size.length / 2).toString(16);
    const { error, gasUsed } = await runCode(host, `${push}${size}5ffd`);
    expect([error, gasUsed]).toEqual([expected, 1_000_000n]);
    expect(errors).toEqual([undefined, undefined, expected]);
  });
});
