import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex, hexToBytes, padLeft } from '../../primitives/index.ts';
import { CALLER, CONTRACT, OTHER, runInTest, testHost } from '../evmTestHost.ts';
import { gethErrorOf } from './errors.ts';

const NOBODY = hexToBytes('bb'.repeat(20));
const GAS_LIMIT = 400_000n;
const slots = [0, 1, 2].map((last) => padLeft(Uint8Array.of(last), 32));
const common = createCustomCommon({ chainId: 713_714 }, Mainnet, { hardfork: Hardfork.Prague });

const byte = (value: number): string => value.toString(16).padStart(2, '0');
const push = (value: number): string => `60${byte(value)}`;
const address = fc.constantFrom(CALLER, CONTRACT, OTHER, NOBODY).map((bytes) => `73${bytesToHex(bytes)}`);
const small = fc.nat(3);
const slot = fc.nat(2);
const gas = fc.constantFrom('5a', '611000', '620186a0');

/** Pieces of code that leave the stack as they found it (or put one word on it). */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(small, slot).map(([value, at]) => `${push(value)}${push(at)}55`) },
  { weight: 2, arbitrary: slot.map((at) => `${push(at)}5450`) },
  { weight: 2, arbitrary: fc.tuple(small, slot).map(([value, at]) => `${push(value)}${push(at)}5d`) },
  { weight: 2, arbitrary: fc.tuple(slot, slot).map(([from, to]) => `${push(from)}5c${push(to)}55`) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(gas, address, small)
      .map(([limit, to, value]) => `5f5f5f5f${push(value)}${to}${limit}f1${push(2)}55`),
  },
  { weight: 2, arbitrary: fc.tuple(gas, address).map(([limit, to]) => `5f5f5f5f${to}${limit}f450`) },
  { weight: 1, arbitrary: fc.tuple(gas, address).map(([limit, to]) => `5f5f5f5f${to}${limit}fa50`) },
  { weight: 1, arbitrary: fc.tuple(gas, address).map(([limit, to]) => `5f5f5f5f5f${to}${limit}f250`) },
  {
    weight: 2,
    arbitrary: fc.tuple(address, fc.constantFrom('31', '3b', '3f')).map(([of, op]) => `${of}${op}50`),
  },
  { weight: 1, arbitrary: small.map((topic) => `${push(topic)}5f5fa1`) },
  // Init code in memory: store a word, return one byte.
  {
    weight: 1,
    arbitrary: fc.tuple(small, small).map(([value, sent]) => {
      const init = `${push(value)}5f5560015ff3`;
      const length = init.length / 2;
      return `${byte(0x5f + length)}${init}5f52${push(length)}${push(32 - length)}${push(sent)}f050`;
    }),
  },
  { weight: 1, arbitrary: fc.tuple(small, address).map(([value, to]) => (value === 3 ? `${to}ff` : '')) },
  { weight: 1, arbitrary: small.map((value) => ['', '', '00', '5f5ffd'][value]!) },
);
const program = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

async function runByLibraryAlone(code: string, otherCode: string) {
  const evm = await createEVM({ common });
  const put = async (bytes: Uint8Array, nonce: bigint, codeHex: string): Promise<void> => {
    const at = new Address(bytes);
    await evm.stateManager.putAccount(at, new Account(nonce, 10n));
    if (codeHex !== '') await evm.stateManager.putCode(at, hexToBytes(codeHex));
  };
  await put(CALLER, 1n, '');
  await put(CONTRACT, 1n, code);
  await put(OTHER, 1n, otherCode);
  for (const warm of [CALLER, CONTRACT]) evm.journal.addAlwaysWarmAddress(bytesToHex(warm));
  const { execResult } = await evm.runCall({
    caller: new Address(CALLER),
    to: new Address(CONTRACT),
    gasLimit: GAS_LIMIT,
    skipNonceIncrement: true,
  });
  const rows: string[] = [];
  for (const bytes of [CALLER, CONTRACT, OTHER, NOBODY]) {
    const account = await evm.stateManager.getAccount(new Address(bytes));
    rows.push(`${account?.balance ?? 0n} ${account?.nonce ?? 0n}`);
    for (const at of slots) {
      const value = await evm.stateManager.getStorage(new Address(bytes), at);
      rows.push(bytesToHex(padLeft(value, 32)));
    }
  }
  const error = gethErrorOf(execResult);
  return {
    error,
    gasUsed: execResult.executionGasUsed,
    gasRefund: error === undefined ? (execResult.gasRefund ?? 0n) : 0n,
    logs: (execResult.logs ?? []).length,
    rows,
  };
}

async function runByEngine(code: string, otherCode: string) {
  const host = testHost();
  const { state } = host;
  for (const bytes of [CALLER, CONTRACT, OTHER]) {
    state.setNonce(bytes, 1n);
    state.setBalance(bytes, 10n);
  }
  state.setCode(CONTRACT, hexToBytes(code));
  state.setCode(OTHER, hexToBytes(otherCode));
  const result = await runInTest(host, { gasLimit: GAS_LIMIT });
  const rows = [CALLER, CONTRACT, OTHER, NOBODY].flatMap((bytes) => [
    `${state.balance(bytes)} ${state.nonce(bytes)}`,
    ...slots.map((at) => bytesToHex(state.storage(bytes, at))),
  ]);
  const { error, gasUsed, gasRefund, logs } = result;
  return { error, gasUsed, gasRefund, logs: logs.length, rows };
}

test('random programs end over the ledger state as over the state of the library itself', async () => {
  await fc.assert(
    fc.asyncProperty(program, program, async (code, otherCode) => {
      expect(await runByEngine(code, otherCode)).toEqual(await runByLibraryAlone(code, otherCode));
    }),
    { numRuns: 150 },
  );
});
