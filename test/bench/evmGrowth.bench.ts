import assert from 'node:assert';
import { silentLogger } from '@chain/platform';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution, type Execution } from '../../node/src/execution/index.ts';
import { hexToBytes } from '../../node/src/primitives/index.ts';
import { EMPTY_STATE } from '../../node/src/state/view/index.ts';
import type { BlockContext } from '../../node/src/types/index.ts';
import type { BenchOptions, Report } from './bench.ts';
import { EVM_CHAIN_ID } from './blockHome.ts';
import { addressOf } from './gasCases.ts';
import { gethRates } from './gethGas.ts';

/** The gate: the part of geth's rate in the same run. */
const LEAST_RATIO = 0.5;
const GAS = 4_000_000_000n;
const MAX_DEPTH_GAS = 30_000_000n;
const WARM_MS = 2_000;
const TARGET = addressOf(0xc0de);
const CONTEXT: BlockContext = {
  chainId: 'bench',
  evmChainId: EVM_CHAIN_ID,
  height: 1,
  time: { seconds: 1_700_000_000n, nanos: 0 },
  proposer: new Uint8Array(20),
  gasLimit: 35_000_000n,
  baseFee: 0n,
};

interface Subject {
  readonly name: string;
  readonly code: string;
  readonly input?: Uint8Array;
  readonly gas?: bigint;
}

const hex = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');
/** `for (i = count; i ≠ 0; i--) body`, as code that begins at `at`; i is dropped in the end. */
const loop = (count: number, body: string, at = 0): string =>
  `62${hex(count, 3)}5b${body}600190038060${hex(at + 4, 1)}5750`;

const TRANSIENT = '80805d';
const READ = '805450';
const BALANCE = '803150';
const flood = loop(33_000, TRANSIENT);
const jumpDests = '5b'.repeat(20_000);

const SUBJECTS: readonly Subject[] = [
  { name: '40,000 transient slots', code: loop(40_000, TRANSIENT) },
  { name: '1,000,000 transient slots', code: loop(1_000_000, TRANSIENT) },
  { name: '40,000 slots read', code: loop(40_000, READ) },
  { name: '1,000,000 slots read', code: loop(1_000_000, READ) },
  { name: '40,000 accounts looked at', code: loop(40_000, BALANCE) },
  {
    name: '33,000 transient slots, then reads of one slot',
    code: flood + loop(90_000, '5f5450', flood.length / 2),
  },
  {
    name: '33,000 transient slots, then calls',
    code: flood + loop(20_000, '5f5f5f5f60025afa50', flood.length / 2),
  },
  // Each frame calls itself with a byte more, until there are 1,000.
  {
    name: 'calls 1,000 deep',
    code: '366103e810601957365f5f375f5f36600101365f305af150005b00',
    gas: MAX_DEPTH_GAS,
  },
  { name: 'a flood of jump destinations', code: `6103e8${jumpDests}6001900380600357` },
  { name: 'memory of 4 MB', code: '5f623fffe052' },
  { name: 'memory of 16 MB', code: '5f62ffffe052' },
];

/** Messages that are out of all proportion, in processor time beside the same code on go-ethereum. */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const seconds = full ? 3 : 0.5;
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
  const execution = createExecution({}, { engine, logger: silentLogger });
  const rates: number[] = [];
  for (const subject of SUBJECTS) {
    rates.push(await rateOf(execution, subject, seconds));
    progress(subject.name);
  }
  const geth = gethRates(
    SUBJECTS.map(({ code, input = new Uint8Array(32), gas = GAS }) => ({
      code: `0x${code}`,
      input,
      osaka: false,
      gas,
      seconds,
    })),
  );
  const slow: string[] = [];
  for (const [i, { name }] of SUBJECTS.entries()) {
    const value = rates[i]!;
    const ratio = geth && value / geth[i]!;
    if ((ratio ?? 1) < LEAST_RATIO) slow.push(name);
    const row = { name, value, unit: 'Mgas/s' };
    report(ratio === undefined ? row : { ...row, peer: `geth (${geth![i]!.toFixed(0)})`, ratio });
  }
  if (slow.length === 0) return;
  console.error(`  below ${LEAST_RATIO} × geth: ${slow.join('; ')}`);
  process.exitCode = 1;
}

/** Mgas a second of processor time of one call after another. */
async function rateOf(
  execution: Execution,
  { name, code, input = new Uint8Array(32), gas = GAS }: Subject,
  seconds: number,
): Promise<number> {
  const stateOverrides = [{ address: TARGET, code: hexToBytes(code), stateDiff: [] }];
  const call = async (): Promise<number> => {
    const request = { to: TARGET, data: input, gas };
    const outcome = await execution.call(request, EMPTY_STATE, CONTEXT, { stateOverrides, gasCap: 0n });
    assert.equal(outcome.status, 'success', `${name}: ${outcome.error}`);
    return Number(outcome.gasUsed);
  };
  const warm = performance.now() + WARM_MS;
  do await call();
  while (performance.now() < warm);
  const started = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  let used = 0;
  do used += await call();
  while (performance.now() < end);
  const { user, system } = process.cpuUsage(started);
  return used / (user + system);
}
