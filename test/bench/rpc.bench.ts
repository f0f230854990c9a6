import { rpcCall } from '../support/rpcCall.ts';
import type { BenchOptions, Report } from './bench.ts';
import { type Bodies, measureRequestRate } from './loadGenerator.ts';
import { distinctLoopCalls, LOOP_CALL } from './loopCall.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { processCpuUs } from './processCpu.ts';
import { callsOf, prepareSubjects } from './rpcSubjects.ts';
import { answerOf, startBareServer } from './startBareServer.ts';

const CONNECTIONS = 16;
/** The reference's figures on two cores. */
const REFERENCE: Record<string, number> = {
  eth_blockNumber: 2_100,
  eth_getBalance: 800,
  'eth_getBlockByNumber latest': 500,
};

const loops = (): Record<string, Bodies> => ({
  'eth_call, 290 kgas loop, known on its block': [LOOP_CALL],
  'eth_call, 290 kgas loop': distinctLoopCalls(),
});

/** Endless, until its time is up: what light calls must not wait for. */
const HEAVY = { data: '0x62ffffff5b600190038060045700', gas: '0x989680' };

/** Each subject is measured in turns, so that what else the machine does strikes all alike. */
const TURNS = 3;

/** A process under load, and the requests that it is sent. */
interface Subject {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly bodies: Bodies;
}

/** JSON-RPC calls a second and processor time a call with 16 connections: ours, anvil, geth, and a bare node:http server that sends the same bytes. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const seconds = full ? 10 : 3;
  // Blocks at intervals, so that a hundred transfers share one.
  const peers: Peer[] = [await startChaind(), await startAnvil('--block-time', '1')];
  const geth = await startGeth({ flags: ['--dev.period', '1'] });
  if (geth) peers.push(geth);
  try {
    const calls = new Map<Peer, Record<string, Bodies>>();
    for (const peer of peers) {
      calls.set(peer, { ...callsOf(await prepareSubjects(peer.url)), ...loops() });
    }
    for (const name of Object.keys(calls.get(peers[0]!)!)) {
      const subjects = peers.map((peer) => ({ ...peer, bodies: calls.get(peer)![name]! }));
      await compare(report, { name, subjects, seconds });
    }
    await besideHeavyCalls(report, peers[0]!.url, seconds);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

interface Comparison {
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly seconds: number;
}

async function compare(report: Report, { name, subjects, seconds }: Comparison): Promise<void> {
  const [first] = subjects;
  const served = await startBareServer(await answerOf(first!.url, firstOf(first!.bodies)));
  const bare = { ...served, bodies: first!.bodies };
  const all = [...subjects, bare];
  const totals = all.map(() => ({ calls: 0, seconds: 0, cpuUs: 0 }));
  for (const subject of all) await measureCost(subject, 1);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, subject] of all.entries()) {
      const cost = await measureCost(subject, seconds / TURNS);
      for (const key of ['calls', 'seconds', 'cpuUs'] as const) totals[i]![key] += cost[key];
    }
  }
  bare.stop();
  const rates = totals.map((total) => total.calls / total.seconds);
  const cpus = totals.map((total) => total.cpuUs / total.calls);
  const row = { name: `${name}: chaind`, value: rates[0]!, unit: 'calls/s' };
  for (let i = 1; i < all.length; i++) {
    report({ ...row, peer: `${all[i]!.name} (${Math.round(rates[i]!)}/s)`, ratio: rates[0]! / rates[i]! });
  }
  const reference = REFERENCE[name];
  if (reference) report({ ...row, peer: `Go reference (${reference}/s)`, ratio: rates[0]! / reference });
  for (let i = 1; i < all.length; i++) {
    report({
      name: `${name}: chaind, processor time`,
      value: cpus[0]!,
      unit: 'µs/call',
      peer: `${all[i]!.name} (${cpus[i]!.toPrecision(3)} µs)`,
      ratio: cpus[i]! / cpus[0]!,
    });
  }
}

function firstOf(bodies: Bodies): string {
  return typeof bodies === 'function' ? bodies() : bodies[0]!;
}

async function measureCost({ url, pid, bodies }: Subject, seconds: number) {
  const before = processCpuUs(pid);
  const started = performance.now();
  const rate = await measureRequestRate({ url, bodies, connections: CONNECTIONS, seconds });
  const took = (performance.now() - started) / 1000;
  return { calls: rate * took, seconds: took, cpuUs: processCpuUs(pid) - before };
}

/** Time of eth_blockNumber on an idle node and beside two calls that never end. */
async function besideHeavyCalls(report: Report, url: string, seconds: number): Promise<void> {
  const idle = await latency(url, seconds);
  let ended = false;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [HEAVY, 'latest'] });
  const heavy = [0, 1].map(async () => {
    while (!ended) {
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
  });
  const beside = await latency(url, seconds);
  ended = true;
  await Promise.all(heavy);
  report({
    name: 'eth_blockNumber beside two endless calls, p99',
    value: beside,
    unit: 'ms',
    peer: `the same without them (${idle.toPrecision(2)} ms)`,
    ratio: beside / idle,
  });
}

/** p99 in milliseconds, one call after another. */
async function latency(url: string, seconds: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    await rpcCall(url, 'eth_blockNumber');
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)]!;
}
