import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { BenchOptions, Report } from './bench.ts';
import { startLimiter, startNginx } from './limiterPeers.ts';
import { measureRequestRate } from './loadGenerator.ts';
import type { Peer } from './peers.ts';
import { processCpuUs } from './processCpu.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"status","params":{}}';
/** What a node says of a transaction it took. */
const ANSWER = `{"jsonrpc":"2.0","id":1,"result":{"code":0,"data":"","log":"","hash":"${'AB'.repeat(32)}"}}`;
const CONNECTIONS = 16;
const RULE = { rate: 10, burst: 20 };
/** Each subject in turns, so that what else the machine does strikes all alike. */
const TURNS = 3;

/** The limiter beside nginx with `limit_req` (burst=19 nodelay): small requests passed on and refused, and the time that it adds. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const node = fork(join(import.meta.dirname, 'bareServer.ts'));
  node.send(ANSWER);
  const [port] = (await once(node, 'message')) as [number];
  const upstream = `http://127.0.0.1:${port}`;
  const seconds = full ? 10 : 3;
  try {
    await beside(upstream, undefined, (peers) => compareRates(report, { work: 'passed on', seconds, peers }));
    await beside(upstream, RULE, (peers) => compareRates(report, { work: 'refused', seconds, peers }));
    await beside(upstream, undefined, (peers) => compareLatency(report, { upstream, seconds, peers }));
  } finally {
    node.kill();
  }
}

/** Runs both, and ends them whatever happens. */
async function beside(
  upstream: string,
  rule: typeof RULE | undefined,
  compare: (peers: readonly Peer[]) => Promise<void>,
): Promise<void> {
  const peers = [await startLimiter(upstream, rule)];
  try {
    const nginx = await startNginx(upstream, rule);
    if (nginx) peers.push(nginx);
    await compare(peers);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

interface RateComparison {
  readonly work: string;
  readonly seconds: number;
  readonly peers: readonly Peer[];
}

async function compareRates(report: Report, { work, seconds, peers }: RateComparison): Promise<void> {
  const totals = peers.map(() => ({ requests: 0, seconds: 0, cpuUs: 0 }));
  const load = (peer: Peer, time: number) =>
    measureRequestRate({ url: peer.url, bodies: [CALL], connections: CONNECTIONS, seconds: time });
  for (const peer of peers) await load(peer, 1);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, peer] of peers.entries()) {
      const before = processCpuUs(peer.pid);
      const started = performance.now();
      const rate = await load(peer, seconds / TURNS);
      const took = (performance.now() - started) / 1000;
      totals[i]!.requests += rate * took;
      totals[i]!.seconds += took;
      totals[i]!.cpuUs += processCpuUs(peer.pid) - before;
    }
  }
  const rates = totals.map((total) => total.requests / total.seconds);
  const perCore = totals.map((total) => (total.requests / total.cpuUs) * 1e6);
  const [, nginx] = peers;
  const rows: [string, readonly number[]][] = [
    ['a second', rates],
    ['a second of one core', perCore],
  ];
  for (const [unit, figures] of rows) {
    const row = { name: `small requests ${work}, ${unit}`, value: figures[0]!, unit: 'requests' };
    const against = {
      peer: `${nginx?.name} (${Math.round(figures[1] ?? 0)})`,
      ratio: figures[0]! / figures[1]!,
    };
    report(nginx ? { ...row, ...against } : row);
  }
}

interface LatencyComparison {
  readonly upstream: string;
  readonly seconds: number;
  readonly peers: readonly Peer[];
}

/** One request after another, by turns straight and through each proxy. */
async function compareLatency(
  report: Report,
  { upstream, seconds, peers }: LatencyComparison,
): Promise<void> {
  const urls = [upstream, ...peers.map(({ url }) => url)];
  const times: number[][] = urls.map(() => []);
  const agents = urls.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  for (let i = 0; i < 300; i++) for (const [k, url] of urls.entries()) await ask(url, agents[k]!);
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    for (const [k, url] of urls.entries()) {
      const started = performance.now();
      await ask(url, agents[k]!);
      times[k]!.push(performance.now() - started);
    }
  }
  for (const agent of agents) agent.destroy();
  const p50 = times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]!);
  const added = p50.slice(1).map((time) => time - p50[0]!);
  const row = { name: 'time added to a request, p50', value: added[0]!, unit: 'ms' };
  const nginx = added[1];
  report(
    nginx === undefined
      ? row
      : { ...row, peer: `nginx limit_req (${nginx.toPrecision(2)} ms)`, ratio: added[0]! / nginx },
  );
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((done, failed) => {
    const headers = { 'content-type': 'application/json', 'content-length': CALL.length };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', done);
    })
      .once('error', failed)
      .end(CALL);
  });
}
