import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Peer, startAnvil, startGeth } from '../bench/peers.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { type ExecutionCase, executionCase } from '../support/executionCases.ts';
import { coveragePage, newCoverage, note, OPCODES, PRECOMPILES } from '../support/executionCoverage.ts';
import { createRandom } from '../support/random.ts';
import { type RpcFailure, rpcBatch, rpcCall } from '../support/rpcCall.ts';

/*
 * The same calls in the same worlds to this node and to a peer: geth where it is built, else anvil. What may differ:
 *   geth    gasCost of a call that cannot be paid       a sum that overflows there       spec R-23
 *   geth    what a KZG proof failed of                  geth tells more                  spec R-13
 *   geth    the code of a revert without data           3 there, −32000 here             spec R-13
 *   anvil   all but gas, output, failure and the steps  revm's words and prices          spec
 *   anvil   what the block opcodes show                 it cannot pretend a block        spec R-13
 * CASES_FROM and EXECUTION_CASES choose other cases; with 3,000 or more the page of what they covered is written.
 */
const CASES = Number(process.env.EXECUTION_CASES ?? 20);
const FIRST = Number(process.env.CASES_FROM ?? 1);
const WRITES_PAGE = 3000;
const PAGE = 'docs/reference/evmCoverage.md';
const FEE_COLLECTOR = '0x27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f';
const GENESIS = {
  config: {
    chainId: 713_714,
    ...Object.fromEntries(
      ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul']
        .concat('berlin', 'london')
        .map((fork) => [`${fork}Block`, 0]),
    ),
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    blobSchedule: {
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
      prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
    },
  },
  difficulty: '0x0',
  gasLimit: '0x2160ec0',
  alloc: {},
};
/** Of one trace: a busy machine takes long. */
const TIMEOUT = '5m';
const STEPS = { enableMemory: true, enableReturnData: true };
const CALLS = { tracer: 'callTracer', tracerConfig: { withLog: true } };
const GETH_CONFIGS = [
  STEPS,
  CALLS,
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: 'flatCallTracer' },
  { tracer: '4byteTracer' },
];

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly depth: number;
  readonly stack: readonly string[];
  gasCost?: number;
  readonly error?: string;
}

interface StepTrace {
  readonly gas: number;
  readonly failed: boolean;
  readonly returnValue: string;
  readonly structLogs: Step[];
}

const home = mkdtempSync(join(tmpdir(), 'chaind-'));
let node: DevNode;
let geth: Peer | undefined;
let anvil: Peer | undefined;

beforeAll(async () => {
  const limits = ['write_timeout', 'trace_timeout'].flatMap((name) => ['--set', `evm.${name}=${TIMEOUT}`]);
  node = await startDevNode({ home: join(home, 'home'), blockTimeMs: 0, args: limits });
  geth = await startGeth({ genesis: GENESIS, build: false });
  if (geth) return;
  anvil = await startAnvil('--hardfork', 'prague', '--chain-id', '713714');
  // Warm from the start (EIP-3651); by default anvil's is the zero address, which the cases look at.
  await rpcCall(anvil.url, 'anvil_setCoinbase', [FEE_COLLECTOR]);
});

afterAll(async () => {
  await node?.stop();
  await geth?.stop();
  await anvil?.stop();
  rmSync(home, { recursive: true, force: true });
});

function tracesOf(url: string, wanted: ExecutionCase, configs: readonly object[]): Promise<unknown[]> {
  const { call, stateOverrides, blockOverrides } = wanted;
  return rpcBatch(
    url,
    configs.map((config) => [
      'debug_traceCall',
      [call, 'latest', { ...config, stateOverrides, blockOverrides }],
    ]),
  );
}

/** How the call ends in the engine that nobody watches step by step. */
function endOf(url: string, { call, stateOverrides, blockOverrides }: ExecutionCase): Promise<unknown> {
  return rpcCall(url, 'eth_call', [call, 'latest', stateOverrides, blockOverrides]).catch(
    ({ code, message, data }: RpcFailure) => ({ code, message, data }),
  );
}

/** Takes out what may differ from geth. */
function forGeth(traces: unknown): unknown {
  const [steps] = traces as [StepTrace];
  for (const step of steps.structLogs) {
    if (step.error?.startsWith('out of gas') && step.op.includes('CALL')) step.gasCost = 0;
  }
  return withoutKzg(traces);
}

function withOurCode(end: unknown): unknown {
  const { message, data } = (end ?? {}) as { readonly message?: string; readonly data?: string };
  return message === 'execution reverted' && data === '0x' ? { code: -32000, message } : end;
}

function withoutKzg(told: unknown): unknown {
  return JSON.parse(
    JSON.stringify(told).replaceAll(/error verifying kzg proof[^"]*/g, 'error verifying kzg proof'),
  );
}

function forAnvil(traces: unknown): unknown {
  const [{ gas, failed, returnValue, structLogs }] = traces as [StepTrace];
  const output = returnValue.replace(/^0x/, '');
  return {
    gas,
    failed,
    output: failed ? '' : output,
    steps: structLogs.map(({ pc, gas: left, depth }) => [pc, left, depth]),
  };
}

test(`${CASES} generated calls run as on a peer, step by step`, { timeout: 3_600_000 }, async () => {
  const coverage = newCoverage();
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const wanted = executionCase(createRandom(seed), geth !== undefined);
    const configs = (geth ? GETH_CONFIGS : [STEPS, CALLS]).map((config) => ({ ...config, timeout: TIMEOUT }));
    const [ours, theirs] = await Promise.all([
      tracesOf(node.url, wanted, configs),
      tracesOf((geth ?? anvil)!.url, wanted, geth ? configs : [STEPS]),
    ]);
    note(coverage, (ours[0] as StepTrace).structLogs, ours[1] as object);
    const comparable = geth ? forGeth : forAnvil;
    expect(comparable(ours), `case ${seed}`).toEqual(comparable(theirs));
    if (!geth) continue;
    const [end, theirEnd] = await Promise.all([node.url, geth.url].map((url) => endOf(url, wanted)));
    expect(withoutKzg(end), `the end of case ${seed}`).toEqual(withoutKzg(withOurCode(theirEnd)));
  }
  if (CASES < WRITES_PAGE || !geth) return;
  writeFileSync(PAGE, coveragePage(coverage, CASES));
});

test('the page of what was covered names every opcode and precompile, and none was left out', () => {
  const page = readFileSync(PAGE, 'utf8');
  const counts = new Map(
    [...page.matchAll(/^\| `(\w+)` \| (\d+) \|$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
  for (const name of OPCODES)
    expect(counts.get(name === 'DIFFICULTY' ? 'PREVRANDAO' : name), name).toBeGreaterThan(0);
  for (const number of PRECOMPILES) {
    expect(counts.get(`0x${number.toString(16).padStart(2, '0')}`), `precompile ${number}`).toBeGreaterThan(
      0,
    );
  }
  expect(counts.size).toBe(OPCODES.length + PRECOMPILES.length);
});
