import assert from 'node:assert';
import { bytesToHex } from 'viem';
import { keccak256 } from '../../node/src/primitives/index.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { Report } from './bench.ts';
import { type Peer, startAnvil, startChaind } from './peers.ts';
import { SENDERS, signTransfers } from './transfers.ts';

const BATCH = 100;
/** As chaind by default. Left to mine on demand, anvil forgets transactions under such a load. */
const ANVIL = ['--block-time', '0.4', '--gas-limit', '35000000'];
/** Connections; each has senders of its own. */
const LANES = 2;
/** Transfers of a lane that may wait for a block; chaind's mempool holds 5,000 altogether. */
const WAITING = 1500;

/** From the first submission until the last receipt, with every signature checked by the node. */
export async function transferThroughput(report: Report, count: number): Promise<void> {
  const anvil = await measured(await startAnvil(...ANVIL), count);
  for (const [how, flags] of [
    ['blocks on demand', ['--block-time', '0']],
    ['a block each 400 ms', []],
  ] as const) {
    const value = await measured(await startChaind(...flags), count);
    report({
      name: `${count.toLocaleString('en-US')} transfers, submission to receipt, ${how}`,
      value,
      unit: 'tx/s',
      peer: `anvil (${Math.round(anvil)}/s)`,
      ratio: value / anvil,
    });
  }
}

async function measured(peer: Peer, count: number): Promise<number> {
  try {
    const evmChainId = BigInt(await rpcCall<string>(peer.url, 'eth_chainId'));
    await submit(peer.url, signTransfers({ evmChainId, from: 0, count: 500 }));
    const transfers = signTransfers({ evmChainId, from: 500, count });
    const started = performance.now();
    await submit(peer.url, transfers);
    return count / ((performance.now() - started) / 1000);
  } finally {
    await peer.stop();
  }
}

async function submit(url: string, transfers: readonly Uint8Array[]): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    transfers.filter((_transfer, position) => (position % SENDERS) % LANES === lane),
  );
  await Promise.all(lanes.map((lane) => submitInOrder(url, lane)));
  // The last of each sender has all of the sender's others below it.
  for (const last of transfers.slice(-SENDERS)) await mined(url, last);
}

async function submitInOrder(url: string, transfers: readonly Uint8Array[]): Promise<void> {
  for (let next = 0; next < transfers.length; next += BATCH) {
    const batch = transfers.slice(next, next + BATCH);
    await rpcBatch(
      url,
      batch.map((raw) => ['eth_sendRawTransaction', [bytesToHex(raw)]] as const),
    );
    if (next >= WAITING) await mined(url, transfers[next - WAITING]!);
  }
}

async function mined(url: string, transfer: Uint8Array): Promise<void> {
  const hash = bytesToHex(keccak256(transfer));
  const receipt = await until('the transfer is mined', async () => {
    return (await rpcCall<{ status: string } | null>(url, 'eth_getTransactionReceipt', [hash])) ?? undefined;
  });
  assert.equal(receipt.status, '0x1');
}
