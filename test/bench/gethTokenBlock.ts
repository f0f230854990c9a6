import assert from 'node:assert';
import { toHex } from 'viem';
import { freePort } from '../support/freePort.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import { startGeth } from './peers.ts';
import { asHex, type SignedTransaction, senderAddresses, tokenBlocks } from './tokenTransfers.ts';

const CHAIN_ID = 1337n;
const FUNDS = toHex(10n ** 21n);
const BATCH = 250;

/** Milliseconds that geth takes for the execution of `count` ERC-20 transfers in blocks, by its own meter; `undefined` without geth. */
export async function gethTokenBlock(count: number): Promise<number | undefined> {
  const metrics = await freePort();
  const geth = await startGeth({ flags: flagsOf(metrics) });
  if (!geth) return undefined;
  const { url } = geth;
  try {
    const [rich] = await rpcCall<string[]>(url, 'eth_accounts', []);
    for (const to of senderAddresses()) {
      await rpcCall(url, 'eth_sendTransaction', [{ from: rich, to, value: FUNDS }]);
    }
    // What they send is checked against the newest block's balances.
    await until(
      'the senders are paid',
      async () => {
        const paid = senderAddresses().map((of) => rpcCall<string>(url, 'eth_getBalance', [of, 'latest']));
        return (await Promise.all(paid)).every((balance) => BigInt(balance) > 0n) || undefined;
      },
      120_000,
    );
    const { setUp, transfers } = tokenBlocks(CHAIN_ID, count);
    await mined(url, { txs: setUp });
    const before = await executionTime(metrics);
    await mined(url, { txs: transfers });
    return (await executionTime(metrics)) - before;
  } finally {
    await geth.stop();
  }
}

function flagsOf(metrics: number): string[] {
  const pool = ['accountslots', 'globalslots', 'accountqueue', 'globalqueue'];
  return [
    '--dev.period',
    '3',
    '--rpc.txfeecap',
    '0',
    '--dev.gaslimit',
    '200000000',
    '--miner.gaslimit',
    '200000000',
    '--metrics',
    '--metrics.addr',
    '127.0.0.1',
    '--metrics.port',
    String(metrics),
    ...pool.flatMap((name) => [`--txpool.${name}`, '10000']),
  ];
}

async function mined(url: string, { txs }: { readonly txs: readonly SignedTransaction[] }): Promise<void> {
  let last = '';
  for (let from = 0; from < txs.length; from += BATCH) {
    const hashes = await Promise.all(
      txs.slice(from, from + BATCH).map((tx) => rpcCall<string>(url, 'eth_sendRawTransaction', [asHex(tx)])),
    );
    last = hashes.at(-1)!;
  }
  const status = await until(
    'the last transaction is in a block',
    async () => {
      const receipt = await rpcCall<{ status: string } | null>(url, 'eth_getTransactionReceipt', [last]);
      return receipt?.status;
    },
    120_000,
  );
  assert.equal(status, '0x1');
}

/** Of all blocks so far: without signatures, state reads, hashing and writing. */
async function executionTime(port: number): Promise<number> {
  const meters = (await (await fetch(`http://127.0.0.1:${port}/debug/metrics`)).json()) as Record<
    string,
    number
  >;
  return (meters['chain/execution.mean']! * meters['chain/execution.count']!) / 1e6;
}
