import { expect, it } from 'vitest';
import { hexToBytes } from '../../primitives/index.ts';
import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine } from '../evmEngine.ts';
import { CALLER, CONTRACT, testHost, testMessage } from '../evmTestHost.ts';
import { createWasmEngine } from './wasmEngine.ts';

const CHAIN_ID = 713_714n;
const PATIENCE_MS = 300_000;
/** Tables and journal hold that many before they grow. */
const [FIRST_SLOTS, FIRST_ENTRIES] = [32_768, 163_840];
const reference = createEthereumjsEngine({ chainId: CHAIN_ID });
const interpreted = createWasmEngine({ chainId: CHAIN_ID, hotGas: Number.POSITIVE_INFINITY });
const translated = createWasmEngine({ chainId: CHAIN_ID, hotGas: 0 });

/** What a message comes to, and a second one of the same transaction: it finds what the first one left. */
async function outcomeOf(engine: EvmEngine, code: string, gasLimit = 2_000_000_000n) {
  const host = testHost();
  const { state } = host;
  state.setCode(CONTRACT, hexToBytes(code));
  state.beginTransaction();
  for (const address of [CALLER, CONTRACT]) state.warmAddress(address);
  const first = await engine.execute(testMessage({ gasLimit }), host);
  const second = await engine.execute(testMessage({ gasLimit: 5_000_000n, data: new Uint8Array(2) }), host);
  const rows = state.overlay.changes().flatMap(({ changes }) => changes.filter(({ value }) => value));
  return { first, second, rows, warm: state.warmSet() };
}

/** `slots` new slots by `opcode`, then a call of itself that writes `rewritten` of them again and reverts. */
const grown = (opcode: string, slots: number, rewritten: number): string => {
  const hex = (count: number): string => `62${count.toString(16).padStart(6, '0')}`;
  const filling = `${hex(slots)}5b8080${opcode}600190038060085750`;
  const load = opcode === '55' ? '54' : '5c';
  const calling = `5f5f60015f5f305af1506001${load}60025500`;
  const at = 4 + (filling + calling).length / 2;
  const back = at + 5;
  const byte = (number: number): string => number.toString(16).padStart(2, '0');
  const reverting = `5b${hex(rewritten)}5b5f81${opcode}600190038060${byte(back)}575f5ffd`;
  return `3660${byte(at)}57${filling}${calling}${reverting}`;
};

it.each([
  ['storage', '55', FIRST_SLOTS + 300],
  ['transient storage', '5d', 3 * FIRST_SLOTS + 5],
  ['the journal', '5d', FIRST_ENTRIES - 100],
])(
  'lets %s grow, and takes back what a frame did there',
  { timeout: PATIENCE_MS },
  async (_what, opcode, slots) => {
    const code = grown(opcode, slots, 2_000);
    const expected = await outcomeOf(reference, code);
    expect(expected.first.error).toBeUndefined();
    for (const engine of [interpreted, translated]) expect(await outcomeOf(engine, code)).toEqual(expected);
  },
);

/** As many accounts as `count`, looked at one by one, the first of them twice. */
const looked = (count: number): string =>
  `62${count.toString(16).padStart(6, '0')}5b803150600190038060045760013160005500`;

it('lets accounts grow', { timeout: PATIENCE_MS }, async () => {
  const code = looked(FIRST_SLOTS + 300);
  const expected = await outcomeOf(reference, code);
  expect(expected.first.error).toBeUndefined();
  for (const engine of [interpreted, translated]) expect(await outcomeOf(engine, code)).toEqual(expected);
});

it('fails as the reference engine does where gas ends among slots that do not fit the first room', {
  timeout: PATIENCE_MS,
}, async () => {
  const code = grown('5d', FIRST_SLOTS + 300, 1);
  const expected = await outcomeOf(reference, code, 4_300_000n);
  expect(expected.first.error).toMatch('out of gas');
  for (const engine of [interpreted, translated]) {
    expect(await outcomeOf(engine, code, 4_300_000n)).toEqual(expected);
  }
});
