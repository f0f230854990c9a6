import assert from 'node:assert';
import type { Hex } from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { BenchOptions, Report } from './bench.ts';
import { type Peer, startAnvil, startChaind } from './peers.ts';

const LOGS_A_BLOCK = 50;
/** Creation code of a contract that gives 50 logs of 32 bytes a call; the third topic counts down from 50. */
const LOGGER: Hex = '0x601680600b6000396000f360325b806007600360206000a3600190038060025700';
const TARGET_MS = 50;
const ROUNDS = 7;

/** `eth_getLogs` over the wire, on our node and on anvil with the same blocks. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const blocks = full ? 2000 : 200;
  const ours = await measured(await startChaind('--block-time', '0'), blocks);
  const theirs = await measured(await startAnvil(), blocks);
  for (const name of ['all', 'one of 50'] as const) {
    const value = ours[name];
    const row = { name: `eth_getLogs, ${blocks} blocks × ${LOGS_A_BLOCK} logs, ${name}`, value, unit: 'ms' };
    report({ ...row, peer: `anvil (${Math.round(theirs[name])} ms)`, ratio: theirs[name] / value });
    report({ ...row, peer: `target ${TARGET_MS} ms`, ratio: TARGET_MS / value });
  }
}

async function measured(peer: Peer, blocks: number): Promise<Record<'all' | 'one of 50', number>> {
  try {
    const { address, from } = await grow(peer.url, blocks);
    const range = { address, fromBlock: hex(from), toBlock: hex(from + blocks - 1) };
    const seventh = `0x${'7'.padStart(64, '0')}`;
    return {
      all: await best(peer.url, range, blocks * LOGS_A_BLOCK),
      'one of 50': await best(peer.url, { ...range, topics: [null, null, seventh] }, blocks),
    };
  } finally {
    await peer.stop();
  }
}

const hex = (number: number): Hex => `0x${number.toString(16)}`;

/** One call of the logger in each block. */
async function grow(url: string, blocks: number): Promise<{ address: Hex; from: number }> {
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
  for (let i = 1; i < blocks; i++) await mine({ to: to! });
  return { address: to!, from: Number(first.blockNumber) };
}

interface Receipt {
  readonly contractAddress: Hex | null;
  readonly blockNumber: Hex;
}

/** The best of some rounds, from the request until the last byte, in milliseconds. */
async function best(url: string, criteria: unknown, logs: number): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [criteria] });
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const answer = await fetch(url, { method: 'POST', headers, body });
    const bytes = await answer.arrayBuffer();
    fastest = Math.min(fastest, performance.now() - started);
    const { result } = JSON.parse(Buffer.from(bytes).toString()) as { result: unknown[] };
    assert.equal(result?.length, logs);
  }
  return fastest;
}
