import assert from 'node:assert';
import { silentLogger } from '@chain/platform';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution, type Execution } from '../../node/src/execution/index.ts';
import { hexToBytes } from '../../node/src/primitives/index.ts';
import { EMPTY_STATE, type StateReads } from '../../node/src/state/view/index.ts';
import type { BlockContext } from '../../node/src/types/index.ts';
import { accounts, LedgerChain } from '../support/ledgerChain.ts';
import type { BenchOptions, Report } from './bench.ts';
import { addressOf, GAS_CASES, LOOP_CODE, loopInput, PLAIN_LOOP_CODE } from './gasCases.ts';
import { gethRates } from './gethGas.ts';
import { messageRates } from './messageRates.ts';
import { OWN_CASES, prepare } from './ownCases.ts';

/** The gate: Mgas a second of processor time, and the part of geth's in the same run. */
const LEAST_RATE = 30;
const LEAST_RATIO = 0.3;
const GAS = 12_000_000n;
const NEW_CODE_MS = 3_000;
/** Codes that have run before. */
const known = new Set<string>();
const LOOP_ADDRESS = addressOf(0xc0de);

interface Subject {
  readonly name: string;
  readonly code: string;
  readonly input: Uint8Array;
  readonly osaka?: boolean;
  /** Where its code lies, and who calls it; of an address without code and balance when absent. */
  readonly at?: Uint8Array;
}

/**
 * Precompiles in a loop of calls, beside the plain loop and beside the same code on geth, and the ledger's messages in
 * blocks. Fails below its gate.
 */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const seconds = full ? 3 : 0.4;
  const ledger = await LedgerChain.start();
  const subjects: Subject[] = [
    { name: 'plain loop', code: PLAIN_LOOP_CODE, input: new Uint8Array(0) },
    ...GAS_CASES.map(({ number, input, ...rest }) => ({
      ...rest,
      code: LOOP_CODE,
      input: loopInput(addressOf(number), input),
    })),
  ];
  const rates: number[] = [];
  for (const subject of subjects) {
    rates.push(await rateOf(subject, ledger, seconds));
    progress(subject.name);
  }
  const geth = gethRates(
    subjects.map(({ code, input, osaka }) => ({ code, input, osaka, gas: GAS, seconds })),
  );
  const slow: string[] = [];
  for (const [i, { name }] of subjects.entries()) {
    const value = rates[i]!;
    const ratio = geth && value / geth[i]!;
    if (value < LEAST_RATE || (ratio ?? 1) < LEAST_RATIO) slow.push(name);
    const row = { name, value, unit: 'Mgas/s' };
    report(ratio === undefined ? row : { ...row, peer: `geth (${geth![i]!.toFixed(0)})`, ratio });
  }
  const reportOwn = (name: string, value: number): void => {
    if (value < LEAST_RATE) slow.push(name);
    report({ name, value, unit: 'Mgas/s', peer: 'the plain loop', ratio: value / rates[0]! });
  };
  await prepare(ledger);
  for (const subject of OWN_CASES) reportOwn(subject.name, await rateOf(subject, ledger, seconds));
  for (const { name, rate } of await messageRates()) reportOwn(name, rate);
  if (slow.length === 0) return;
  console.error(`  below ${LEAST_RATE} Mgas/s or ${LEAST_RATIO} × geth: ${slow.join('; ')}`);
  process.exitCode = 1;
}

/** Mgas a second of processor time of one call after another. */
async function rateOf(subject: Subject, ledger: LedgerChain, seconds: number): Promise<number> {
  const call = callOf(subject, ledger);
  // Whoever translates or prepares has done so: code that is new waits for a thread.
  const warm = performance.now() + (known.has(subject.code) ? 300 * seconds : NEW_CODE_MS);
  known.add(subject.code);
  do await call();
  while (performance.now() < warm);
  const cpu = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  let gas = 0;
  while (performance.now() < end) gas += await call();
  const { user, system } = process.cpuUsage(cpu);
  return gas / (user + system);
}

function callOf(
  { name, code, input, osaka, at = LOOP_ADDRESS }: Subject,
  ledger: LedgerChain,
): () => Promise<number> {
  const { execution, state, context } = osaka
    ? OSAKA
    : { execution: ledger.chain.execution, state: ledger.chain.state, context: ledger.chain.context() };
  const stateOverrides = [{ address: at, code: hexToBytes(code.slice(2)), stateDiff: [] }];
  const request = { to: at, data: input, gas: GAS, from: accounts[0].evmAddress };
  return async () => {
    const outcome = await execution.call(request, state, context, { stateOverrides, gasCap: GAS });
    assert.equal(outcome.status, 'success', `${name}: ${outcome.error}`);
    return Number(outcome.gasUsed);
  };
}

/** A chain of the newest fork. */
const OSAKA: { readonly execution: Execution; readonly state: StateReads; readonly context: BlockContext } = {
  execution: createExecution({}, { engine: createEvmEngine({ chainId: 713_714n }), logger: silentLogger }),
  state: {
    ...EMPTY_STATE,
    get: (_store, key) =>
      Buffer.from(key).toString() === 'evm/Forks' ? Buffer.from('[{"fork":"osaka","height":0}]') : undefined,
  },
  context: {
    chainId: 'bench',
    evmChainId: 713_714n,
    height: 1,
    time: { seconds: 1_700_000_000n, nanos: 0 },
    proposer: new Uint8Array(20),
    gasLimit: 35_000_000n,
    baseFee: 0n,
  },
};
