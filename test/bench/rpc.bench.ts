import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { rpcCall } from '../support/rpcCall.ts';
import type { BenchOptions, Report } from './bench.ts';
import { measureRequestRate } from './loadGenerator.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { callsOf, prepareSubjects } from './rpcSubjects.ts';

const CONNECTIONS = 16;
/** The reference's figures on two cores (design.md §5). */
const REFERENCE: Record<string, number> = {
  eth_blockNumber: 2_100,
  eth_getBalance: 800,
  'eth_getBlockByNumber latest': 500,
};

/** `for (i = 5,000; i ≠ 0; i--)` as creation code of an eth_call: some 290 kgas of loop. */
const LOOPS = {
  'eth_call, 290 kgas loop': [
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ data: '0x6127105b600190038060035700', gas: '0x989680' }, 'latest'],
    }),
  ],
};

/** Endless, until its time is up: what light calls must not wait for. */
const HEAVY = { data: '0x62ffffff5b600190038060045700', gas: '0x989680' };

/** JSON-RPC calls a second with 16 connections: ours, anvil, geth, and a bare node:http server that sends the same bytes. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const seconds = full ? 10 : 3;
  // Blocks at intervals, so that a hundred transfers share one.
  const peers: Peer[] = [await startChaind(), await startAnvil('--block-time', '1')];
  const geth = await startGeth({ flags: ['--dev.period', '1'] });
  if (geth) peers.push(geth);
  try {
    const calls = new Map<Peer, Record<string, string[]>>();
    for (const peer of peers) {
      calls.set(peer, { ...callsOf(await prepareSubjects(peer.url)), ...LOOPS });
    }
    for (const name of Object.keys(calls.get(peers[0]!)!)) {
      await compare(name, (peer) => calls.get(peer)![name]!);
    }
    await besideHeavyCalls(report, peers[0]!.url, seconds);
  } finally {
    for (const peer of peers) await peer.stop();
  }

  async function compare(name: string, bodiesOf: (peer: Peer) => string[]): Promise<void> {
    const rates: [string, number][] = [];
    for (const peer of peers) {
      const load = { url: peer.url, bodies: bodiesOf(peer), connections: CONNECTIONS };
      await measureRequestRate({ ...load, seconds: 1 });
      rates.push([peer.name, await measureRequestRate({ ...load, seconds })]);
    }
    const bare = await bareServerRate(peers[0]!.url, bodiesOf(peers[0]!), seconds);
    const ours = rates[0]![1];
    for (const [peer, rate] of [...rates.slice(1), ['bare node:http', bare] as [string, number]]) {
      report({
        name: `${name}: chaind`,
        value: ours,
        unit: 'calls/s',
        peer: `${peer} (${Math.round(rate)}/s)`,
        ratio: ours / rate,
      });
    }
    const reference = REFERENCE[name];
    if (reference) {
      report({
        name: `${name}: chaind`,
        value: ours,
        unit: 'calls/s',
        peer: `Go reference (${reference}/s)`,
        ratio: ours / reference,
      });
    }
  }
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

/** The physical limit here: a process that parses the JSON and sends the answer that our node gave. */
async function bareServerRate(url: string, bodies: string[], seconds: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = Buffer.from(
    await (await fetch(url, { method: 'POST', headers, body: bodies[0]! })).arrayBuffer(),
  );
  const server = fork(join(import.meta.dirname, 'bareServer.ts'));
  server.send(answer.toString('latin1'));
  const [port] = (await once(server, 'message')) as [number];
  const bare = `http://127.0.0.1:${port}`;
  await measureRequestRate({ url: bare, bodies, connections: CONNECTIONS, seconds: 1 });
  const rate = await measureRequestRate({ url: bare, bodies, connections: CONNECTIONS, seconds });
  server.kill();
  return rate;
}
