import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getContractAddress, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Peer, startAnvil } from '../bench/peers.ts';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

/** Creates a contract whose code is STOP, and sends 5 wei to the address of fe bytes. */
const FACTORY_CODE = `6460016000f36000526005601b6000f0506000600060006000600573${'fe'.repeat(20)}5af100`;
const FACTORY: Hex = `0x60${(FACTORY_CODE.length / 2).toString(16)}80600b6000396000f3${FACTORY_CODE}`;
/** Reverts with two bytes. */
const REVERTER: Hex = '0x600b80600b6000396000f361beef6000526002601efd00';
const FRIEND: Hex = `0x${'fe'.repeat(20)}`;
const alice = developmentAccount(0);
const [factory, reverter] = [0n, 1n].map((nonce) => getContractAddress({ from: alice.address, nonce }));

const home = mkdtempSync(join(tmpdir(), 'trace-tools-'));
let node: DevNode;
let anvil: Peer;
let hashes: Hex[];
beforeAll(async () => {
  node = await startDevNode({ home: join(home, 'home'), split: true, blockTimeMs: 0 });
  anvil = await startAnvil('--hardfork', 'prague', '--chain-id', '713714', '--gas-limit', '35000000');
  // A block has the same number on both.
  await rpcCall(anvil.url, 'anvil_mine', [await rpcCall(node.url, 'eth_blockNumber')]);
  hashes = await sendAll();
});
afterAll(async () => {
  await node?.kill9();
  await anvil?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The same transactions to both, one in each block. */
async function sendAll(): Promise<Hex[]> {
  const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 300_000n };
  const messages = [
    { data: FACTORY },
    { data: REVERTER },
    { to: factory!, value: 9n },
    { to: reverter!, data: '0x1234567890' as Hex },
    { to: FRIEND, value: 3n },
  ];
  const sent: Hex[] = [];
  for (const [nonce, message] of messages.entries()) {
    const raw = await alice.signTransaction({
      type: 'eip1559',
      chainId: 713_714,
      nonce,
      ...fees,
      ...message,
    });
    for (const url of [node.url, anvil.url]) {
      const hash = await rpcCall<Hex>(url, 'eth_sendRawTransaction', [raw]);
      await until(
        'the receipt',
        async () => (await rpcCall(url, 'eth_getTransactionReceipt', [hash])) ?? undefined,
      );
      if (url === node.url) sent.push(hash);
    }
  }
  return sent;
}

/** Both answers, each as `shape` shows it. */
async function both<T>(method: string, params: unknown[], shape: (answer: T) => unknown): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [node.url, anvil.url].map(async (url) => shape(await rpcCall<T>(url, method, params))),
  );
  expect(ours, `${method} ${JSON.stringify(params)}`).toEqual(theirs);
  expect(ours).toBeDefined();
}

interface Flat {
  readonly action: Record<string, string>;
  readonly error?: string;
  readonly result?: unknown;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: string;
  readonly transactionHash: string;
}
/** What does not hang on a block's hash or on how failures are told. */
const shapeOf = ({ action, subtraces, traceAddress, type, transactionHash }: Flat) => {
  const { from, to, value, input, init, callType } = action;
  return { from, to, value, input, init, callType, subtraces, traceAddress, type, transactionHash };
};

describe('beside anvil', () => {
  it('trace_transaction, trace_block and trace_filter tell of the same calls', async () => {
    const list = (traces: Flat[]) => traces.map(shapeOf);
    for (const hash of hashes) await both('trace_transaction', [hash], list);
    const latest = await rpcCall<Hex>(node.url, 'eth_blockNumber');
    for (let number = 1; number <= Number(latest); number++) await both('trace_block', [toHex(number)], list);
    await both('trace_filter', [{ fromBlock: '0x1', toBlock: latest, toAddress: [FRIEND] }], list);
    await both('trace_filter', [{ fromBlock: '0x1', toBlock: latest, fromAddress: [factory] }], list);
  });

  it('ots_ tells of the same creators, nonces, operations and errors', async () => {
    const same = (answer: unknown) => JSON.parse(JSON.stringify(answer).toLowerCase()) as unknown;
    const made = getContractAddress({ from: factory!, nonce: 1n });
    for (const address of [factory, reverter, made]) await both('ots_getContractCreator', [address], same);
    for (const [nonce] of hashes.entries()) {
      await both('ots_getTransactionBySenderAndNonce', [alice.address, nonce], same);
    }
    // Anvil counts what the transaction itself does among its internal operations; Erigon does not.
    const inner = (operations: { readonly from: string }[]) =>
      operations.filter(({ from }) => from.toLowerCase() !== alice.address.toLowerCase());
    for (const hash of hashes) await both('ots_getInternalOperations', [hash], inner);
    await both('ots_getTransactionError', [hashes[3]], same);
    await both('ots_hasCode', [made, 'latest'], same);
    await both('ots_hasCode', [alice.address, 'latest'], same);
  });

  it('ots_ finds the same transactions of an account, and the same pages of a block', async () => {
    interface Page {
      readonly txs: readonly { readonly hash: string; readonly input: string }[];
      readonly firstPage: boolean;
      readonly lastPage: boolean;
    }
    const shape = ({ txs, firstPage, lastPage }: Page) => ({
      hashes: txs.map(({ hash }) => hash),
      firstPage,
      lastPage,
    });
    await both('ots_searchTransactionsBefore', [FRIEND, 0, 10], shape);
    await both('ots_searchTransactionsAfter', [FRIEND, 0, 10], shape);
    const page = ({ fullblock }: { readonly fullblock: { readonly transactions: Page['txs'] } }) =>
      fullblock.transactions.map(({ hash, input }) => ({ hash, input }));
    const latest = Number(await rpcCall(node.url, 'eth_blockNumber'));
    await both('ots_getBlockTransactions', [latest - 1, 0, 5], page);
  });
});
