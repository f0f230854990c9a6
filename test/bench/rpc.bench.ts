import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchOptions, Report } from './bench.ts';
import { measureRequestRate } from './loadGenerator.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';

const CONNECTIONS = 16;
/** The reference's figures on two cores (design.md §5). */
const REFERENCE: Record<string, number> = {
  eth_blockNumber: 2_100,
  eth_getBalance: 800,
  'eth_getBlockByNumber latest': 500,
};

const account = (i: number) => `0x${(i + 1).toString(16).padStart(40, '0')}`;
const call = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
/** `for (i = 5,000; i ≠ 0; i--)` as creation code of an eth_call: some 290 kgas of loop. */
const LOOP = '0x6127105b600190038060035700';

const CALLS: Record<string, string[]> = {
  eth_blockNumber: [call('eth_blockNumber', [])],
  eth_getBalance: [
    call('eth_getBalance', ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest']),
    ...Array.from({ length: 50 }, (_, i) => call('eth_getBalance', [account(i), 'latest'])),
  ],
  'eth_getBlockByNumber latest': [call('eth_getBlockByNumber', ['latest', false])],
  'eth_call, 290 kgas loop': [call('eth_call', [{ data: LOOP, gas: '0x989680' }, 'latest'])],
};

/** JSON-RPC calls a second with 16 connections: ours, anvil, geth, and a bare node:http server that sends the same bytes. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const seconds = full ? 10 : 3;
  const peers: Peer[] = [await startChaind(), await startAnvil()];
  const geth = await startGeth();
  if (geth) peers.push(geth);
  try {
    for (const [name, bodies] of Object.entries(CALLS)) await compare(name, bodies);
  } finally {
    for (const peer of peers) await peer.stop();
  }

  async function compare(name: string, bodies: string[]): Promise<void> {
    const rates: [string, number][] = [];
    for (const { name: peer, url } of peers) {
      await measureRequestRate({ url, bodies, connections: CONNECTIONS, seconds: 1 });
      rates.push([peer, await measureRequestRate({ url, bodies, connections: CONNECTIONS, seconds })]);
    }
    const bare = await bareServerRate(peers[0]!.url, bodies, seconds);
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

/** The physical limit here: parse the JSON, send the answer that our node gave. */
async function bareServerRate(url: string, bodies: string[], seconds: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = Buffer.from(
    await (await fetch(url, { method: 'POST', headers, body: bodies[0]! })).arrayBuffer(),
  );
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { ...headers, 'content-length': answer.length }).end(answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const bare = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rate = await measureRequestRate({ url: bare, bodies, connections: CONNECTIONS, seconds });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return rate;
}
