import assert from 'node:assert';
import { request } from 'node:http';
import type { Hex } from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { Report } from './bench.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';
import { processCpuUs } from './processCpu.ts';
import { fundSenders } from './rpcSubjects.ts';
import { startBareServer } from './startBareServer.ts';
import { type Beside, startBeside } from './startBeside.ts';

const LOGS_A_BLOCK = 50;
/** Creation code of a contract that gives 50 logs of 32 bytes a call; the third topic counts down from 50. */
const LOGGER: Hex = '0x601680600b6000396000f360325b806007600360206000a3600190038060025700';
const TARGET_MS = 50;
const BESIDE_MS = 20;
const ROUNDS = 7;

interface Measured {
  /** Milliseconds of the first query, which nothing is known of yet, and the best of some more. */
  readonly first: number;
  readonly again: number;
  readonly one: number;
  /** What eth_blockNumber took meanwhile. */
  readonly beside: Awaited<ReturnType<Beside['stop']>>;
  /** Processor milliseconds of a query, known before. */
  readonly cpu: number;
  readonly bytes: Buffer;
}

/** `eth_getLogs` over the wire, on our node, anvil and geth with the same blocks, and a bare server with the same bytes. */
export async function run(report: Report): Promise<void> {
  const blocks = Number(process.env.BENCH_LOG_BLOCKS ?? 2000);
  const ours = await measured(await startChaind('--block-time', '0'), blocks);
  const anvil = await measured(await startAnvil(), blocks);
  const dev = await startGeth();
  const geth = dev && (await measured(dev, blocks));
  const bare = await bareTime(ours.bytes);
  const peers = [['anvil', anvil] as const, ...(geth ? [['geth dev', geth] as const] : [])];
  const shape = `eth_getLogs, ${blocks} blocks × ${LOGS_A_BLOCK} logs`;
  for (const [what, key] of [
    ['all, for the first time', 'first'],
    ['all, again', 'again'],
    ['one of 50', 'one'],
  ] as const) {
    const row = { name: `${shape}, ${what}`, value: ours[key], unit: 'ms' };
    for (const [name, their] of peers) {
      report({ ...row, peer: `${name} (${Math.round(their[key])} ms)`, ratio: their[key] / ours[key] });
    }
    if (key !== 'one') {
      report({
        ...row,
        peer: `bare node:http, same bytes (${Math.round(bare)} ms)`,
        ratio: bare / ours[key],
      });
    }
    report({ ...row, peer: `target ${TARGET_MS} ms`, ratio: TARGET_MS / ours[key] });
  }
  report({ name: `${shape}, all, again: processor time`, value: ours.cpu, unit: 'ms' });
  const { p99, longest, calls } = ours.beside;
  const peer = `target ${BESIDE_MS} ms`;
  report({
    name: `${calls} × eth_blockNumber beside, p99`,
    value: p99,
    unit: 'ms',
    peer,
    ratio: BESIDE_MS / p99,
  });
  report({ name: `${calls} × eth_blockNumber beside, longest`, value: longest, unit: 'ms' });
}

async function measured(peer: Peer, blocks: number): Promise<Measured> {
  try {
    const { address, from, to } = await grow(peer.url, blocks);
    const range = { address, fromBlock: from, toBlock: to };
    const seventh = `0x${'7'.padStart(64, '0')}`;
    const query = { body: bodyOf(range), logs: blocks * LOGS_A_BLOCK };
    const asked = startBeside(peer.url);
    const first = await best(peer.url, query, 1);
    const before = processCpuUs(peer.pid);
    const again = await best(peer.url, query, ROUNDS);
    const cpu = (processCpuUs(peer.pid) - before) / 1000 / ROUNDS;
    const beside = await asked.stop();
    const one = { body: bodyOf({ ...range, topics: [null, null, seventh] }), logs: blocks };
    return {
      first: first.ms,
      again: again.ms,
      cpu,
      beside,
      bytes: again.bytes,
      one: (await best(peer.url, one, ROUNDS)).ms,
    };
  } finally {
    await peer.stop();
  }
}

async function bareTime(answer: Buffer): Promise<number> {
  const server = await startBareServer(answer);
  try {
    let fastest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++)
      fastest = Math.min(fastest, (await timed(server.url, '{}')).ms);
    return fastest;
  } finally {
    server.stop();
  }
}

function bodyOf(criteria: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [criteria] });
}

interface Grown {
  readonly address: Hex;
  readonly from: Hex;
  readonly to: Hex;
}

/** One call of the logger in each block; geth makes some blocks without. */
async function grow(url: string, blocks: number): Promise<Grown> {
  await fundSenders(url);
  const account = developmentAccount(0);
  const chainId = Number(await rpcCall<Hex>(url, 'eth_chainId'));
  let nonce = 0;
  const mine = async (fields: { readonly to?: Hex; readonly data?: Hex }) => {
    const prices = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
    const raw = await account.signTransaction({
      chainId,
      nonce: nonce++,
      gas: 300_000n,
      ...prices,
      ...fields,
    });
    const hash = await rpcCall<Hex>(url, 'eth_sendRawTransaction', [raw]);
    return until('the receipt', async () => {
      const receipt = await rpcCall<Receipt | null>(url, 'eth_getTransactionReceipt', [hash]);
      return receipt ?? undefined;
    });
  };
  const { contractAddress: to } = await mine({ data: LOGGER });
  const first = await mine({ to: to! });
  let last = first;
  for (let i = 1; i < blocks; i++) last = await mine({ to: to! });
  return { address: to!, from: first.blockNumber, to: last.blockNumber };
}

interface Receipt {
  readonly contractAddress: Hex | null;
  readonly blockNumber: Hex;
}

/** The best of some rounds, in milliseconds, and the last answer. */
async function best(
  url: string,
  { body, logs }: { readonly body: string; readonly logs: number },
  rounds: number,
): Promise<{ readonly ms: number; readonly bytes: Buffer }> {
  let fastest = Number.POSITIVE_INFINITY;
  let bytes = Buffer.alloc(0);
  for (let round = 0; round < rounds; round++) {
    const answer = await timed(url, body);
    fastest = Math.min(fastest, answer.ms);
    bytes = Buffer.concat(answer.chunks);
    const { result, error } = JSON.parse(bytes.toString()) as { result?: unknown[]; error?: unknown };
    assert.equal(result?.length, logs, `the answer of ${url} to ${body}: ${JSON.stringify(error)}`);
  }
  return { ms: fastest, bytes };
}

/** From the request until the last byte; chunks are put together afterwards, which is the client's own affair. */
function timed(url: string, body: string): Promise<{ readonly ms: number; readonly chunks: Buffer[] }> {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ ms: performance.now() - started, chunks }));
    });
    sent.on('error', reject).end(body);
  });
}
