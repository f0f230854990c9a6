import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes, keccak256, RuntimeError } from '../../primitives/index.ts';
import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine, EvmHost } from '../evmEngine.ts';
import { CALLER, CONTRACT, testHost, testMessage } from '../evmTestHost.ts';
import { CHUNK_BYTES, CHUNK_CODES, CHUNK_CODES_BYTES, CHUNKS, CODES_BYTES } from './memory/layout.ts';
import { NoRoom } from './memory/noRoom.ts';
import { Runtime } from './runtime/runtime.ts';
import { TranslationThread } from './translator/translationThread.ts';
import { createWasmEngine } from './wasmEngine.ts';

const CHAIN_ID = 713_714n;
const reference = createEthereumjsEngine({ chainId: CHAIN_ID });
const interpreted = createWasmEngine({ chainId: CHAIN_ID, hotGas: Number.POSITIVE_INFINITY });
const translated = createWasmEngine({ chainId: CHAIN_ID, hotGas: 0 });

/** `for (i = count; i ≠ 0; i--) body`, with i on top of the stack before and after `body`. */
const loop = (count: number, body: string): string =>
  `62${count.toString(16).padStart(6, '0')}5b${body}600190038060045700`;

/** Makes a contract whose code is one zero byte (CREATE2); leaves its address. */
const MAKE = '6360015ff35f525f6004601c5ff5';
/** Calls the address on top of the stack. */
const CALL_TOP = '5f5f5f5f5f855af1';
/** Has itself called to make a contract, call it and revert; looks at and calls that address; makes it once more. */
const madeTwice = (): string => {
  const main = `5f5f60015f5f305af15060205f5f3e5f51803b5f55${CALL_TOP}600155${MAKE}803b600255${CALL_TOP}60035500`;
  const inner = `5b${MAKE}${CALL_TOP}505f5260205ffd`;
  return `3660${(4 + main.length / 2).toString(16).padStart(2, '0')}57${main}${inner}`;
};

/** Whether bytes are a Buffer does not matter. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

interface Sent {
  readonly to: number;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
  readonly code: string;
}

interface Run {
  readonly code: string;
  readonly gasLimit?: bigint;
  readonly host?: EvmHost;
}

async function run(engine: EvmEngine, { code, gasLimit = 20_000_000n, host = testHost() }: Run) {
  const { state } = host;
  state.setNonce(CALLER, 1n);
  state.setCode(CONTRACT, hexToBytes(code));
  state.beginTransaction();
  state.warmAddress(CALLER);
  state.warmAddress(CONTRACT);
  const { error, gasUsed, gasRefund, logs, returnData } = await engine.execute(
    testMessage({ gasLimit }),
    host,
  );
  const rows = state.overlay
    .changes()
    .map(({ store, changes }) => [store, changes.filter(({ value }) => value)]);
  return { error, gasUsed, gasRefund, logs, returnData, rows };
}

it.each([
  ['arithmetic', loop(20_000, '80800260070163fffffffb900650')],
  ['memory', loop(20_000, '806103ff1660051b8181525150')],
  ['hashes', loop(5_000, '6040600020600052')],
  [
    'hashes of more pairs than are kept',
    loop(1_500, '805f526007811660205260405f20604051186040526040516003821655'),
  ],
  ['hashes of a pair of zeros, twice', '60405f2060405f20035f5560405f20600155'],
  ['storage', loop(5_000, '80600f1680546001019055')],
  ['exponents', loop(5_000, '80600a0a50')],
  ['signed numbers', loop(5_000, '80195f03600790056007900750')],
  ['gas', loop(5_000, '5a50')],
  ['logs', loop(500, '8060205fa1')],
  ['calls of itself to the end of its gas', '5f5f5f5f5f305af1'],
  ['calls of itself to the deepest frame', '60013603602057365f5f375f5f36600101365f305af150005b00'],
  ['a contract that was taken back and is made again', madeTwice()],
  ['a memory of a megabyte', '6001620fffff5300'],
  ['a stack that overflows in a loop', '5b5f600056'],
  ['a stack that runs dry in a loop', '5f5f5f5b50600356'],
  ['a jump into a push', '6004565b605b00'],
  ['a flood of jump destinations', `${'5b'.repeat(24_500)}00`],
  ['a flood of branches', `${'5b5f600057'.repeat(4_900)}00`],
  ['a flood of jumps to where only the run knows', `${'5b365056'.repeat(6_000)}00`],
  ['offsets beyond all memory', `7f${'ff'.repeat(32)}5f5f5f3e51`],
  ['init code beyond its limit at an offset beyond all memory', '6200e8d9684000000000000000005ff0'],
])('ends %s as the reference engine does, interpreted and translated', async (_name, code) => {
  const expected = await run(reference, { code });
  expect(await run(interpreted, { code })).toEqual(expected);
  expect(await run(translated, { code })).toEqual(expected);
});

it('takes up translated code in the midst of a run', async () => {
  const engine = createWasmEngine({ chainId: CHAIN_ID });
  const code = loop(200_000, '80800260070163fffffffb900650');
  const expected = await run(reference, { code });
  for (let i = 0; i < 4; i++) expect(await run(engine, { code })).toEqual(expected);
});

it('does not take init code for the code whose hash it is', async () => {
  const code = loop(3, '5a50');
  const create = async (engine: EvmEngine) => {
    const host = testHost();
    await run(engine, { code, host });
    host.state.beginTransaction();
    return await engine.execute(testMessage({ to: null, data: keccak256(hexToBytes(code)) }), host);
  };
  expect(await create(translated)).toEqual(await create(reference));
});

it.each([
  ['interpreted', interpreted],
  ['translated', translated],
])('lets the host end an endless loop, %s', async (_name, engine) => {
  let questions = 0;
  const interrupt = (): void => {
    if (++questions > 20) throw new RangeError('enough');
  };
  const host = { ...testHost(), interrupt };
  const endless = run(engine, { code: '5b5f56', gasLimit: 10n ** 12n, host });
  await expect(endless).rejects.toThrow('enough');
  expect((await run(engine, { code: '00' })).error).toBeUndefined();
});

it.each([
  ['SHA-256', { to: 2, data: 'aabb' }],
  ['SHA-256 without its gas', { to: 2, data: 'aabb', gas: 60n }],
  ['a pairing over nonsense', { to: 8, data: '01'.repeat(192) }],
  ['BLS12-381 over nonsense', { to: 11, data: '01'.repeat(256) }],
  ['a precompile of this chain', { to: 0x1004, data: '' }],
  ['a precompile and wei', { to: 4, data: '00', value: 5n }],
  ['a contract and more wei than there is', { code: '00', value: 10n ** 30n }],
] as const)('takes %s from a transaction as the reference engine does', async (_name, sent) => {
  const { to = undefined, data = '', value = 0n, gas = 100_000n, code = '' } = sent as Partial<Sent>;
  const outcome = async (engine: EvmEngine) => {
    const told: unknown[] = [];
    const host = testHost({ onEnter: (frame) => told.push(frame), onExit: (end) => told.push(end) });
    const { state } = host;
    state.setNonce(CALLER, 2n);
    state.setBalance(CALLER, 100n);
    state.setCode(CONTRACT, hexToBytes(code));
    state.beginTransaction();
    const target = to === undefined ? CONTRACT : hexToBytes(to.toString(16).padStart(40, '0'));
    const message = { to: target, data: hexToBytes(data), value };
    const result = await engine.execute(testMessage({ ...message, gasLimit: gas }), host);
    return plain({ result, told, sender: state.balance(CALLER) });
  };
  expect(await outcome(interpreted)).toEqual(await outcome(reference));
});

it('shows a later message of the transaction what an earlier one wrote to transient storage', async () => {
  const writeOrKeep = hexToBytes('3660095760075f5d005b5f5c5f5500');
  const kept = async (engine: EvmEngine) => {
    const host = testHost();
    host.state.setCode(CONTRACT, writeOrKeep);
    host.state.beginTransaction();
    await engine.execute(testMessage(), host);
    await engine.execute(testMessage({ data: new Uint8Array(1) }), host);
    return bytesToHex(host.state.storage(CONTRACT, new Uint8Array(32)));
  };
  expect(await kept(reference)).toBe('7'.padStart(64, '0'));
  expect(await kept(interpreted)).toBe('7'.padStart(64, '0'));
});

it('tells a tracer each frame once, also when the reference has to begin anew', async () => {
  // Calls itself with a byte, then with two: that call returns more than there is room for.
  const calls = '5b5f5f60015f5f305af1505f5f60025f5f305af100';
  const code = `3615600d57${'3660021460225700'}${calls}${'5b63011000005ff3'}`;
  const toldBy = async (engine: EvmEngine): Promise<string[]> => {
    const told: string[] = [];
    const host = testHost({
      onEnter: ({ kind, depth, gas }) => told.push(`enter ${kind} ${depth} ${gas}`),
      onExit: ({ depth, gasUsed, error }) => told.push(`exit ${depth} ${gasUsed} ${error}`),
    });
    await run(engine, { code, host, gasLimit: 10n ** 10n });
    return told;
  };
  const expected = await toldBy(reference);
  expect(expected).toHaveLength(6);
  expect(await toldBy(interpreted)).toEqual(expected);
}, 120_000);

it.each([
  ['a log whose data is paid', '60015fa0'],
  ['return data that is not there', '60015f5f3e'],
  ['a hash', '60015f20505fff'],
  ['a power', '61ffff61ffff0a50'],
  ['memory that no gas buys', '60015f5360016001601fff1b53'],
  ['storage', '5f5450'],
])(
  'ends %s before opcodes that lack gas at the same opcode, interpreted and translated',
  async (_name, begin) => {
    const code = begin + '5f50'.repeat(20);
    const toldBy = async (engine: EvmEngine, gasLimit: bigint): Promise<string[]> => {
      const told: string[] = [];
      const host = testHost({
        onLog: ({ data }) => void told.push(`log ${data.length}`),
        onExit: ({ error }) => void told.push(`exit ${error}`),
      });
      await run(engine, { code, gasLimit, host });
      return told;
    };
    for (let gasLimit = 1n; gasLimit < 520n; gasLimit += 1n) {
      expect(await toldBy(translated, gasLimit)).toEqual(await toldBy(interpreted, gasLimit));
    }
  },
);

it.each([
  ['SSTORE', '60015f55'],
  ['LOG0', '5f5fa0'],
  ['CREATE', '5f5f5ff0'],
  ['CALL with value', '5f5f5f5f600130610100f1'],
  ['SELFDESTRUCT', '30ff'],
])('%s in a static frame fails for its gas first, then for the frame', async (_name, write) => {
  for (const gas of [150, 1_000, 40_000, 400_000]) {
    // Without input it calls itself by STATICCALL with so much gas and one byte of input.
    const begin = `36601c575f5f60015f3062${gas.toString(16).padStart(6, '0')}fa5f55005b`;
    const code = begin.replace('601c', `60${(begin.length / 2 - 1).toString(16).padStart(2, '0')}`) + write;
    const endsBy = async (engine: EvmEngine, steps?: () => void): Promise<(string | undefined)[]> => {
      const errors: (string | undefined)[] = [];
      const host = testHost({
        onExit: ({ error }) => void errors.push(error),
        ...(steps && { onStep: steps }),
      });
      await run(engine, { code, host });
      return errors;
    };
    const expected = await endsBy(reference, () => undefined);
    expect(await endsBy(interpreted)).toEqual(expected);
    expect(await endsBy(translated)).toEqual(expected);
  }
});

it('shows memory that a call reserved, also where the code ends', async () => {
  const sizes = async (engine: EvmEngine): Promise<number[]> => {
    const told: number[] = [];
    const host = testHost({ onStep: ({ memory }) => void told.push(memory.length) });
    await run(engine, { code: '60206160005f5f5f61dead5af15f', host });
    return told;
  };
  const expected = await sizes(reference);
  expect(expected.slice(-2)).toEqual([0x6020, 0x6020]);
  expect(await sizes(interpreted)).toEqual(expected);
});

it('asks the reference engine where memory cannot grow', () => {
  const runtime = new Runtime({
    hotGas: Number.POSITIVE_INFINITY,
    thread: new TranslationThread(undefined),
    fork: 'prague',
  });
  expect(() => runtime.exports.reserve(2n ** 31n + 1n)).toThrow(NoRoom);
});

it.each([interpreted, translated])(
  'hands on any other trap, which is a fault: no other engine makes a result of it',
  async (engine) => {
    const host = testHost();
    const trap = new RuntimeError('unreachable');
    host.state.balance = () => {
      throw trap;
    };
    // BALANCE of an address that nobody has met
    await expect(run(engine, { code: '61123431', host })).rejects.toBe(trap);
  },
);

it('places codes in chunks once the first room is full, and none over the end of its room', () => {
  const thread = new TranslationThread();
  const { codes } = new Runtime({ hotGas: Number.POSITIVE_INFINITY, thread, fork: 'prague' });
  const place = (number: number, length: number) =>
    codes.place(Uint8Array.of(number), () => new Uint8Array(length)).at;
  place(1, CODES_BYTES / 2);
  expect(() => place(2, CODES_BYTES / 2)).toThrow(NoRoom);
  place(3, CODES_BYTES / 4);
  const large = (CHUNK_CODES_BYTES * 3) / 4;
  const fitting = Math.floor((CODES_BYTES / 4 - CODES_BYTES / 10) / (large * 1.125));
  for (let i = 0; i < fitting; i++) place(10 + i, large);
  for (let i = 0; i < 3; i++) place(100 + i, large);
  const [first, second] = [place(200, large), place(201, large)];
  expect((first - CHUNKS) % CHUNK_BYTES).toBe(CHUNK_CODES);
  expect(second - first).toBe(CHUNK_BYTES);
  codes.makeRoom();
  expect(place(3, 5)).toBeLessThan(CHUNKS);
});
