import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bytesToBigint,
  bytesToHex,
  hexToBytes,
  padLeft,
  toHexData,
  toHexQuantity,
} from '../../primitives/index.ts';
import { warmInitialAccess } from '../accessList.ts';
import { CALLER, CONTRACT, OTHER, runInTest, testHost, testMessage } from '../evmTestHost.ts';
import { gethErrorOf } from './errors.ts';
import { createEthereumjsEngine } from './ethereumjsEngine.ts';

const ARITHMETIC = '01 02 03 04 05 06 0a 0b 10 11 12 13 14 16 17 18 1a 1b 1c 1d'.split(' ');

const byte = (value: number): string => value.toString(16).padStart(2, '0');
const push = (value: number): string => `60${byte(value)}`;
const small = fc.nat(3);
const slot = fc.nat(2);
const offset = small.map((value) => push(value * 40));
const gas = fc.constantFrom('5a', '611000', '620186a0');
const word = fc
  .oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.constantFrom(0n, 1n, 31n, 256n, 2n ** 255n, 2n ** 256n - 1n))
  .map((value) => `7f${value.toString(16).padStart(64, '0')}`);

function storagePieces(): fc.WeightedArbitrary<string>[] {
  return [
    { weight: 4, arbitrary: fc.tuple(small, slot).map(([value, at]) => `${push(value)}${push(at)}55`) },
    { weight: 2, arbitrary: slot.map((at) => `${push(at)}5450`) },
    { weight: 2, arbitrary: fc.tuple(small, slot).map(([value, at]) => `${push(value)}${push(at)}5d`) },
    { weight: 2, arbitrary: fc.tuple(slot, slot).map(([from, to]) => `${push(from)}5c${push(to)}55`) },
  ];
}

function callPieces(address: fc.Arbitrary<string>): fc.WeightedArbitrary<string>[] {
  const target = fc.tuple(gas, address);
  return [
    {
      weight: 4,
      arbitrary: fc
        .tuple(target, small)
        .map(([[limit, to], value]) => `60205f60045f${push(value)}${to}${limit}f1${push(2)}55`),
    },
    { weight: 2, arbitrary: target.map(([limit, to]) => `5f5f5f5f${to}${limit}f450`) },
    { weight: 1, arbitrary: target.map(([limit, to]) => `60205f60405f${to}${limit}fa50`) },
    { weight: 1, arbitrary: target.map(([limit, to]) => `5f5f5f5f5f${to}${limit}f250`) },
    {
      weight: 2,
      arbitrary: fc.tuple(address, fc.constantFrom('31', '3b', '3f')).map(([of, op]) => `${of}${op}50`),
    },
  ];
}

/** CREATE or CREATE2 of init code that stores a word and gives back one byte. */
const creation = fc.tuple(small, small, fc.boolean()).map(([value, sent, hasSalt]) => {
  const init = `${push(value)}5f5560015ff3`;
  const length = init.length / 2;
  const stored = `${byte(0x5f + length)}${init}5f52`;
  return `${stored}${hasSalt ? push(value) : ''}${push(length)}${push(32 - length)}${push(sent)}${hasSalt ? 'f5' : 'f0'}3b50`;
});

function memoryPieces(): fc.WeightedArbitrary<string>[] {
  const copies = fc.constantFrom('37', '39', '5e');
  return [
    {
      weight: 4,
      arbitrary: fc.tuple(word, word, fc.constantFrom(...ARITHMETIC)).map((parts) => `${parts.join('')}5f52`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(word, word, word, fc.constantFrom('08', '09')).map((p) => `${p.join('')}602052`),
    },
    { weight: 1, arbitrary: fc.tuple(offset, offset).map(([length, at]) => `${length}${at}20602052`) },
    { weight: 2, arbitrary: fc.tuple(offset, offset, offset, copies).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: small.map((length) => `${push(length)}5f5f3e`) },
  ];
}

/** Hex of code that calls, reads and pays the given accounts, out of pieces that run on, so that most get far. */
function randomPrograms(accounts: readonly Uint8Array[]): fc.Arbitrary<string> {
  const precompiles = [2, 4].map((last) => padLeft(Uint8Array.of(last), 20));
  const address = fc.constantFrom(...accounts, ...precompiles).map((bytes) => `73${bytesToHex(bytes)}`);
  const piece = fc.oneof(
    ...storagePieces(),
    ...callPieces(address),
    ...memoryPieces(),
    { weight: 2, arbitrary: creation },
    { weight: 1, arbitrary: small.map((topic) => `${push(topic)}60205fa1`) },
    { weight: 1, arbitrary: fc.tuple(small, address).map(([value, to]) => (value === 3 ? `${to}ff` : '')) },
    { weight: 1, arbitrary: small.map((value) => ['', '', '00', '60205ffd'][value]!) },
    { weight: 1, arbitrary: fc.constantFrom('5a50', '3d50') },
  );
  return fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
}

const NOBODY = hexToBytes('bb'.repeat(20));
const GAS_LIMIT = 400_000n;
const INTRINSIC = 21_000n;
const BALANCES: readonly [Uint8Array, bigint][] = [
  [CALLER, 10n ** 18n],
  [CONTRACT, 10n],
  [OTHER, 10n],
];
const slots = [0, 1, 2].map((last) => padLeft(Uint8Array.of(last), 32));
const common = createCustomCommon({ chainId: 713_714 }, Mainnet, { hardfork: Hardfork.Prague });
const program = randomPrograms([CALLER, CONTRACT, OTHER, NOBODY]);
const engine = createEthereumjsEngine({ chainId: 31_337n });

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

interface Trace {
  readonly failed: boolean;
  readonly structLogs: readonly { pc: number; depth: number; gas: number; stack: readonly string[] }[];
}

let anvil: ChildProcess;
let url: string;

beforeAll(async () => {
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
  anvil = spawn(binary, ['--port', '0', '--hardfork', 'prague', '--steps-tracing'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: anvil.stdout! })) {
    const address = /Listening on (\S+)/.exec(line)?.[1];
    if (!address) continue;
    url = `http://${address}`;
    break;
  }
  anvil.stdout!.resume();
});

afterAll(async () => {
  const ended = once(anvil, 'exit');
  anvil.kill();
  await ended;
});

async function traceByRevm(code: string, otherCode: string): Promise<Trace> {
  const codes = ['', code, otherCode];
  const accounts = BALANCES.map(([address, balance], i) => [
    toHexData(address),
    { balance: toHexQuantity(balance), nonce: '0x1', code: `0x${codes[i]}` },
  ]);
  const call = {
    from: toHexData(CALLER),
    to: toHexData(CONTRACT),
    gas: toHexQuantity(GAS_LIMIT + INTRINSIC),
  };
  const options = { stateOverrides: Object.fromEntries(accounts), disableStorage: true, enableMemory: false };
  const body = { jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params: [call, 'latest', options] };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { result: Trace }).result;
}

async function traceByEngine(code: string, otherCode: string) {
  const steps: string[] = [];
  const host = testHost({
    onStep: ({ depth, programCounter, gas, stack }) => {
      steps.push(`${depth} ${programCounter} ${gas} ${stack.at(-1) ?? ''}`);
    },
  });
  const { state } = host;
  for (const [address, balance] of BALANCES) {
    state.setNonce(address, 1n);
    state.setBalance(address, balance);
  }
  state.setCode(CONTRACT, hexToBytes(code));
  state.setCode(OTHER, hexToBytes(otherCode));
  state.beginTransaction();
  warmInitialAccess(state, {
    sender: CALLER,
    to: CONTRACT,
    coinbase: new Uint8Array(20),
    accessList: [],
    fork: 'prague',
  });
  const { error } = await engine.execute(testMessage({ gasLimit: GAS_LIMIT }), host);
  return { failed: error !== undefined, steps };
}

test('random programs take the steps, gas and stack that revm takes', async () => {
  await fc.assert(
    fc.asyncProperty(program, program, async (code, otherCode) => {
      const { failed, structLogs } = await traceByRevm(code, otherCode);
      const steps = structLogs.map(({ depth, pc, gas, stack }) => {
        const top = stack.at(-1);
        return `${depth} ${pc} ${gas} ${top === undefined ? '' : bytesToBigint(hexToBytes(top.slice(2).padStart(64, '0')))}`;
      });
      expect(await traceByEngine(code, otherCode)).toEqual({ failed, steps });
    }),
    { numRuns: 60 },
  );
});
