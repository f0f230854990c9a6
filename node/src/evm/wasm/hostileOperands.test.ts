import { expect, it } from 'vitest';
import { hexToBytes } from '../../primitives/index.ts';
import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine } from '../evmEngine.ts';
import { CALLER, CONTRACT, OTHER, testHost, testMessage } from '../evmTestHost.ts';
import { createWasmEngine } from './wasmEngine.ts';

const CHAIN_ID = 713_714n;
const reference = createEthereumjsEngine({ chainId: CHAIN_ID });
const interpreted = createWasmEngine({ chainId: CHAIN_ID, hotGas: Number.POSITIVE_INFINITY });
const translated = createWasmEngine({ chainId: CHAIN_ID, hotGas: 0 });

const push = (value: bigint): string => `7f${value.toString(16).padStart(64, '0')}`;
const OTHER_ADDRESS = `73${'dd'.repeat(20)}`;
const RETURN_MEMORY = '60605ff3';
/** Around the borders of signed and unsigned numbers of 32 bits, and of memory. */
const EDGES = [0n, 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 256n - 1n];
const LENGTHS = [0n, 3n, 40n];

const copies = (length: bigint, from: bigint, to: bigint): Readonly<Record<string, string>> => {
  const three = push(length) + push(from) + push(to);
  return {
    EXTCODECOPY: `${three}${OTHER_ADDRESS}3c`,
    CODECOPY: `${three}39`,
    CALLDATACOPY: `${three}37`,
    MCOPY: `${three}5e`,
    LOG0: `${push(length)}${push(to)}a0`,
    KECCAK256: `${push(length)}${push(to)}20`,
    CALL: `${push(length)}${push(to)}${push(length)}${push(from)}5f${OTHER_ADDRESS}5af1`,
    CREATE: `${push(length)}${push(from)}5ff0`,
  };
};

async function run(engine: EvmEngine, code: string, gasLimit = 1_000_000n) {
  const host = testHost();
  host.state.setCode(CONTRACT, hexToBytes(code));
  host.state.setCode(OTHER, hexToBytes('6001600255'));
  host.state.beginTransaction();
  for (const address of [CALLER, CONTRACT]) host.state.warmAddress(address);
  const result = await engine.execute(testMessage({ gasLimit }), host);
  return { ...result, warm: host.state.warmSet() };
}

it.each(Object.keys(copies(0n, 0n, 0n)))(
  '%s takes any place and length as the reference engine does',
  async (name) => {
    for (const to of EDGES) {
      for (const from of EDGES) {
        for (const length of LENGTHS) {
          const code = `${copies(length, from, to)[name]}${RETURN_MEMORY}`;
          const expected = await run(reference, code);
          for (const engine of [interpreted, translated]) {
            expect(await run(engine, code), `${to} ${from} ${length}`).toEqual(expected);
          }
        }
      }
    }
  },
);

/** Keys that a hash with these fixed factors would bring to one place: minutes of search at this gas. */
it('keys that somebody has chosen are found as fast as others', async () => {
  const MASK = 2n ** 64n - 1n;
  const FACTOR = 0x9e3779b97f4a7c15n;
  let inverse = 1n;
  for (let i = 0; i < 7; i++) inverse = (inverse * (2n - FACTOR * inverse)) & MASK;
  let hash = (0x40000001_00000000n * FACTOR) & MASK;
  hash = ((hash ^ (hash >> 29n)) * 0xbf58476d1ce4e5b9n) & MASK;
  hash = ((hash ^ (hash >> 32n)) * 0x94d049bb133111ebn) & MASK;
  const rest = (hash ^ (hash >> 30n)) & MASK;
  // TLOAD of the key whose highest 64 bits are rest ^ (i × inverse), for all i.
  const code = `5f5b${push(inverse << 192n)}0180${push(rest << 192n)}185c50600156`;
  expect(await run(translated, code, 40_000_000n)).toMatchObject({ gasUsed: 40_000_000n });
});

it('a call that cannot pay for a look at its callee reads nothing of it', async () => {
  let reads = 0;
  const host = testHost();
  // CALL with 150 gas to code that calls OTHER: 100 of them are left there, and a cold look costs 2,600.
  host.state.setCode(CONTRACT, hexToBytes(`5f5f5f5f5f73${'ee'.repeat(20)}6096f100`));
  host.state.setCode(hexToBytes('ee'.repeat(20)), hexToBytes(`5f5f5f5f5f${OTHER_ADDRESS}5af1`));
  host.state.setCode(OTHER, hexToBytes('00'));
  host.state.beginTransaction();
  for (const address of [CALLER, CONTRACT, hexToBytes('ee'.repeat(20))]) host.state.warmAddress(address);
  const { state } = host;
  const codeOf = state.code.bind(state);
  state.code = (address) => {
    if (address[0] === OTHER[0]) reads++;
    return codeOf(address);
  };
  expect(await interpreted.execute(testMessage({ gasLimit: 100_000n }), host)).toMatchObject({
    error: undefined,
  });
  expect(reads).toBe(0);
});
