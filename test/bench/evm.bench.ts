import assert from 'node:assert';
import { silentLogger } from '@chain/platform';
import { type Hex, hexToBytes } from 'viem';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { EMPTY_STATE } from '../../node/src/state/view/index.ts';
import type { BlockContext } from '../../node/src/types/index.ts';
import { rpcCall } from '../support/rpcCall.ts';
import type { BenchOptions, Report } from './bench.ts';
import { EVM_CHAIN_ID } from './blockHome.ts';
import { evmPrograms, type Program } from './evmPrograms.ts';
import { gethTokenBlock } from './gethTokenBlock.ts';
import { measureRequestRate } from './loadGenerator.ts';
import { distinctLoopCalls } from './loopCall.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { withTokenBlock } from './tokenBlock.ts';

const CONTEXT: BlockContext = {
  chainId: 'bench',
  evmChainId: EVM_CHAIN_ID,
  height: 1,
  time: { seconds: 1_700_000_000n, nanos: 0 },
  proposer: new Uint8Array(20),
  gasLimit: 35_000_000n,
  baseFee: 0n,
};
const FIRST = { to: '0x00000000000000000000000000000000000f1257', gas: '0x989680' } as const;

/** Whose median the table of ratios ends with: what neither stores nor calls. */
const PURE = ['arithmetic', 'memory', 'keccak', 'Fibonacci', 'SHA-like', 'sort'];
const LOAD_CONNECTIONS = 16;
const LOAD_TURNS = 3;
const BLOCK_TRANSFERS = 2_000;
const BLOCK_RUNS = 15;

/** Mgas a second of one call after another: the engine in this process, then eth_call of ours, anvil and geth. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const seconds = full ? 5 : 1;
  const nodes = [await startChaind(), await startAnvil(), await startGeth()];
  const peers = nodes.filter((peer) => peer !== undefined);
  const ratios = new Map<string, number[]>();
  try {
    for (const program of await evmPrograms(peers[0]!.url)) await compare(program);
    for (const [peer, values] of ratios) {
      report({ name: 'median of the six that only compute', value: medianOf(values), unit: `× ${peer}` });
    }
    await underLoad(report, { peers, seconds });
  } finally {
    for (const peer of peers) await peer.stop();
  }
  await firstCall(report);
  await transferBlock(report);

  async function compare(program: Program): Promise<void> {
    const engine = inProcess(program);
    const gas = await engine();
    assert.ok(gas > 4e6 && gas < 9.9e6, `${program.name} used ${gas} gas`);
    const value = (gas / 1e6) * (await callsPerSecond(engine, seconds));
    const [chaind, ...others] = await ratesOf(program, gas);
    const name = `${program.name}: engine in process`;
    report({ name, value, unit: 'Mgas/s', peer: 'chaind eth_call', ratio: value / chaind!.rate });
    for (const { peer, rate } of others) {
      if (PURE.some((pure) => program.name.startsWith(pure))) {
        ratios.set(peer.name, [...(ratios.get(peer.name) ?? []), chaind!.rate / rate]);
      }
      const shown = `${peer.name} (${Math.round(rate)} Mgas/s)`;
      report({
        name: `${program.name}: eth_call`,
        value: chaind!.rate,
        unit: 'Mgas/s',
        peer: shown,
        ratio: chaind!.rate / rate,
      });
    }
  }

  async function ratesOf(program: Program, gas: number): Promise<{ peer: Peer; rate: number }[]> {
    const rates: { peer: Peer; rate: number }[] = [];
    for (const peer of peers) {
      const call = () => rpcCall(peer.url, 'eth_call', [program.request, 'latest', program.overrides]);
      rates.push({ peer, rate: (gas / 1e6) * (await callsPerSecond(call, seconds)) });
    }
    return rates;
  }
}

/** Short calls by many clients at once, each node by turns. */
async function underLoad(
  report: Report,
  { peers, seconds }: { readonly peers: readonly Peer[]; readonly seconds: number },
): Promise<void> {
  const rates = peers.map((): number[] => []);
  const bodies = distinctLoopCalls();
  for (let turn = 0; turn < LOAD_TURNS; turn++) {
    for (const [i, { url }] of peers.entries()) {
      const load = { url, bodies, connections: LOAD_CONNECTIONS, seconds };
      rates[i]!.push(await measureRequestRate(load));
    }
  }
  const [value, ...others] = rates.map(medianOf);
  for (const [i, rate] of others.entries()) {
    const peer = `${peers[i + 1]!.name} (${Math.round(rate)}/s)`;
    const name = `eth_call, 290 kgas loop, ${LOAD_CONNECTIONS} connections`;
    report({ name, value: value!, unit: 'calls/s', peer, ratio: value! / rate });
  }
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};

/** The first call of a code that nobody has seen, with the fast tier and without. */
async function firstCall(report: Report): Promise<void> {
  const times = async (hotGas?: number): Promise<number> => {
    const engine = createEvmEngine({ chainId: EVM_CHAIN_ID, ...(hotGas !== undefined && { hotGas }) });
    const milliseconds: number[] = [];
    for (let i = 0; i < 40; i++) {
      const code: Hex = `0x62001388${'5b600190038060045700'}${i.toString(16).padStart(4, '0')}`;
      const call = inProcess(
        { name: 'first call', request: FIRST, overrides: { [FIRST.to]: { code } } },
        engine,
      );
      const started = performance.now();
      await call();
      milliseconds.push(performance.now() - started);
    }
    return medianOf(milliseconds.slice(10));
  };
  const interpreted = await times(Number.POSITIVE_INFINITY);
  const value = await times();
  const peer = `the interpreter alone (${interpreted.toFixed(2)} ms)`;
  report({
    name: 'first call of unknown code, 130 kgas',
    value,
    unit: 'ms',
    peer,
    ratio: value / interpreted,
  });
}

/** A block of ERC-20 transfers: execution only, senders known. */
async function transferBlock(report: Report): Promise<void> {
  const geth = await gethTokenBlock(BLOCK_TRANSFERS);
  await withTokenBlock(BLOCK_TRANSFERS, async ({ run: runBlock }) => {
    const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
    const execution = createExecution({}, { engine, logger: silentLogger });
    const times: number[] = [];
    for (let i = 0; i < BLOCK_RUNS; i++) times.push((await runBlock(execution)).milliseconds);
    const value = medianOf(times.slice(5));
    const row = { name: 'block of 2,000 ERC-20 transfers, execution only', value, unit: 'ms' };
    if (geth === undefined) report(row);
    else report({ ...row, peer: `geth (${geth.toFixed(0)} ms), speed`, ratio: geth / value });
  });
}

async function callsPerSecond(call: () => Promise<unknown>, seconds: number): Promise<number> {
  // Whoever translates or caches has done so: what is measured is a node that runs for a while.
  const warm = performance.now() + 500 * seconds;
  do await call();
  while (performance.now() < warm);
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  for (; elapsed < seconds; elapsed = (performance.now() - started) / 1000) {
    await call();
    calls++;
  }
  return calls / elapsed;
}

/** The same call on our engine alone; gives the gas of its execution. */
function inProcess(
  { name, request, overrides }: Program,
  engine = createEvmEngine({ chainId: EVM_CHAIN_ID }),
): () => Promise<number> {
  const execution = createExecution({}, { engine, logger: silentLogger });
  const stateOverrides = Object.entries(overrides).map(([address, { code, stateDiff = {} }]) => ({
    address: hexToBytes(address as Hex),
    code: hexToBytes(code),
    stateDiff: Object.entries(stateDiff).map(([slot, value]) => ({
      slot: hexToBytes(slot as Hex),
      value: hexToBytes(value),
    })),
  }));
  const { data = '0x' } = request;
  const call = { to: hexToBytes(request.to), gas: BigInt(request.gas), data: hexToBytes(data) };
  return async () => {
    const outcome = await execution.call(call, EMPTY_STATE, CONTEXT, { stateOverrides });
    assert.equal(outcome.status, 'success', `${name}: ${outcome.error}`);
    return Number(outcome.gasUsed);
  };
}
