import { bytesToHex } from 'viem';
import { keccak256, sha256 } from '../../node/src/primitives/index.ts';
import type { DevNode } from '../support/devNode.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { Report } from './bench.ts';
import { SENDER_ADDRESSES, signSends } from './ledgerSends.ts';
import { SENDERS, signTransfers } from './transfers.ts';

/** As many calls as CometBFT takes in one body. */
const BATCH = 10;
const LANES = 2;
/** Transactions of a lane that may wait for a block. */
const WAITING = 1500;

/** How a kind of transaction is handed in, and how one sees that a block has it. */
interface Route {
  readonly raws: readonly Uint8Array[];
  submit(batch: readonly Uint8Array[]): Promise<void>;
  isIncluded(raw: Uint8Array): Promise<boolean>;
}

/** Bank sends over the consensus RPC beside EVM transfers over JSON-RPC of the same node, all signatures checked. */
export async function sendThroughput(report: Report, node: DevNode, count: number): Promise<void> {
  const evmChainId = BigInt(await rpcCall<string>(node.url, 'eth_chainId'));
  const accountNumbers = await Promise.all(SENDER_ADDRESSES.map((address) => accountNumberOf(node, address)));
  const warm = 500;
  const sends = (from: number, n: number) => ledgerRoute(node, signSends({ from, count: n, accountNumbers }));
  const transfers = (from: number, n: number) =>
    evmRoute(node, signTransfers({ evmChainId, from, count: n }));
  await measured(sends(0, warm));
  await measured(transfers(0, warm));
  const ledger = await measured(sends(warm, count));
  const evm = await measured(transfers(warm, count));
  report({
    name: `${count.toLocaleString('en-US')} bank sends, submission to block, blocks on demand`,
    value: ledger,
    unit: 'tx/s',
    peer: `EVM transfers of the same node (${Math.round(evm)}/s)`,
    ratio: ledger / evm,
  });
}

async function measured(route: Route): Promise<number> {
  const started = performance.now();
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    route.raws.filter((_raw, position) => (position % SENDERS) % LANES === lane),
  );
  await Promise.all(lanes.map((lane) => inOrder(route, lane)));
  // The last of each sender has all of the sender's others below it.
  for (const last of route.raws.slice(-SENDERS)) await included(route, last);
  return route.raws.length / ((performance.now() - started) / 1000);
}

async function inOrder(route: Route, raws: readonly Uint8Array[]): Promise<void> {
  for (let next = 0; next < raws.length; next += BATCH) {
    await route.submit(raws.slice(next, next + BATCH));
    if (next >= WAITING) await included(route, raws[next - WAITING]!);
  }
}

async function included(route: Route, raw: Uint8Array): Promise<void> {
  await until('a block has the transaction', async () => (await route.isIncluded(raw)) || undefined);
}

function evmRoute({ url }: DevNode, raws: readonly Uint8Array[]): Route {
  return {
    raws,
    submit: async (batch) => {
      await rpcBatch(
        url,
        batch.map((raw) => ['eth_sendRawTransaction', [bytesToHex(raw)]] as const),
      );
    },
    isIncluded: async (raw) => {
      const receipt = await rpcCall(url, 'eth_getTransactionReceipt', [bytesToHex(keccak256(raw))]);
      return receipt !== null;
    },
  };
}

function ledgerRoute({ consensusUrl }: DevNode, raws: readonly Uint8Array[]): Route {
  return {
    raws,
    submit: async (batch) => {
      const body = batch.map((raw, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'broadcast_tx_sync',
        params: { tx: Buffer.from(raw).toString('base64') },
      }));
      const response = await fetch(consensusUrl, { method: 'POST', body: JSON.stringify(body) });
      const answers = (await response.json()) as { result?: { code: number; log: string } }[];
      const bad = answers.find(({ result }) => result?.code !== 0);
      if (bad) throw new RangeError(`refused: ${JSON.stringify(bad)}`);
    },
    isIncluded: async (raw) => {
      const response = await fetch(`${consensusUrl}/tx?hash=0x${Buffer.from(sha256(raw)).toString('hex')}`);
      return 'result' in ((await response.json()) as object);
    },
  };
}

export async function accountNumberOf(
  { restUrl }: Pick<DevNode, 'restUrl'>,
  address: string,
): Promise<bigint> {
  const response = await fetch(`${restUrl}/cosmos/auth/v1beta1/account_info/${address}`);
  return BigInt(((await response.json()) as { info: { account_number: string } }).info.account_number);
}
