import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex, SignedAuthorization } from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

/** Adds one to slot 0, logs the sum under the call's first word as topic, returns the sum. */
const COUNTER: Hex = '0x601a80600b6000396000f36000546001018060005560005260003560206000a160206000f3';
/** Reverts with `Error("no luck")`'s selector and nothing else. */
const REVERTER: Hex = '0x601080600b6000396000f36308c379a060e01b60005260046000fd';
const CHAIN_ID = 713_714;
export const LEGACY_ALLOWED = 'evm.enabled_legacy_chain_apis';

/** A running development node that makes one block for each transaction, and what is on its chain. */
export interface ConformanceChain {
  readonly url: string;
  readonly wsUrl: string;
  /** One connection for all that can only be called over WebSocket. */
  socket(): Promise<WebSocket>;
  call<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T>;
  /** The first development account: sender of all transactions. */
  readonly alice: Hex;
  readonly bob: Hex;
  readonly counter: Hex;
  readonly reverter: Hex;
  /** One of each type, in a block each, one after the other: 0, 1, 2, 4. */
  readonly transactions: readonly Hex[];
  /** A call of the counter that failed for want of gas. */
  readonly failed: Hex;
  /** Waits for a lower nonce. */
  readonly waiting: Hex;
  /** The block of the third of them. */
  readonly block: { readonly number: Hex; readonly hash: Hex };
  /** Signs the next transaction of an account that is used for nothing else; nobody has seen it yet. */
  freshTransaction(): Promise<Hex>;
  /** A signed one that the next block can take. */
  nextTransaction(): Promise<Hex>;
  close(): Promise<void>;
}

interface Receipt {
  readonly contractAddress: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
}

interface Fields {
  readonly type?: 'legacy' | 'eip2930' | 'eip7702';
  readonly nonce?: number;
  readonly to?: Hex;
  readonly gas?: bigint;
  readonly data?: Hex;
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];
  readonly authorizationList?: readonly SignedAuthorization[];
}

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** Starts a development node with `--set` words and fills its chain. */
export async function startConformanceChain(settings: readonly string[] = []): Promise<ConformanceChain> {
  const root = mkdtempSync(join(tmpdir(), 'conformance-'));
  const node = await startDevNode({
    home: join(root, 'home'),
    split: true,
    blockTimeMs: 0,
    args: settings.flatMap((setting) => ['--set', setting]),
  });
  const call = <T>(method: string, ...params: readonly unknown[]) => rpcCall<T>(node.url, method, params);
  let socket: WebSocket | undefined;
  const connected = async (): Promise<WebSocket> => {
    socket ??= new WebSocket(node.wsUrl);
    if (socket.readyState === WebSocket.CONNECTING) await once(socket, 'open');
    return socket;
  };
  const close = async (): Promise<void> => {
    socket?.close();
    await node.kill9();
    rmSync(root, { recursive: true, force: true });
  };
  try {
    return { url: node.url, wsUrl: node.wsUrl, socket: connected, call, close, ...(await fill(call)) };
  } catch (error) {
    await close();
    throw error;
  }
}

type Filled = Omit<ConformanceChain, 'url' | 'wsUrl' | 'socket' | 'call' | 'close'>;

async function fill(call: ConformanceChain['call']): Promise<Filled> {
  const alice = developmentAccount(0);
  const receiptOf = (hash: Hex) => call<Receipt | null>('eth_getTransactionReceipt', hash);
  let nonce = 0;
  const mine = async (fields: Fields): Promise<Hex> => {
    const hash = await call<Hex>('eth_sendRawTransaction', await signed(0, { nonce: nonce++, ...fields }));
    await until('the receipt', async () => (await receiptOf(hash)) ?? undefined);
    return hash;
  };
  const created = async (hash: Hex) => (await receiptOf(hash))!.contractAddress;
  const counter = await created(await mine({ data: COUNTER }));
  const reverter = await created(await mine({ data: REVERTER }));
  const authority = await developmentAccount(3).signAuthorization!({
    chainId: CHAIN_ID,
    contractAddress: counter,
    nonce: 0,
  });
  const accessList = [{ address: counter, storageKeys: [word(0)] }];
  const to = counter;
  const transactions = [
    await mine({ type: 'legacy', to, data: word(1) }),
    await mine({ type: 'eip2930', to, data: word(2), accessList }),
    await mine({ to, data: word(3) }),
    await mine({ type: 'eip7702', to, data: word(4), authorizationList: [authority] }),
  ];
  const failed = await mine({ to, gas: 22_000n });
  const waiting = await call<Hex>('eth_sendRawTransaction', await signed(0, { nonce: nonce + 5, to }));
  const { blockNumber: number, blockHash: hash } = (await receiptOf(transactions[2]!))!;
  let fresh = 0;
  return {
    alice: alice.address.toLowerCase() as Hex,
    bob: developmentAccount(1).address.toLowerCase() as Hex,
    counter,
    reverter,
    transactions,
    failed,
    waiting,
    block: { number, hash },
    freshTransaction: () => signed(7, { nonce: fresh++, to }),
    nextTransaction: async () => {
      const { address } = developmentAccount(8);
      return signed(8, { nonce: Number(await call<Hex>('eth_getTransactionCount', address, 'pending')), to });
    },
  };
}

function signed(account: number, fields: Fields): Promise<Hex> {
  const isDynamic = fields.type !== 'legacy' && fields.type !== 'eip2930';
  const price = isDynamic
    ? { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    : { gasPrice: 50_000_000_000n };
  return developmentAccount(account).signTransaction({
    chainId: CHAIN_ID,
    gas: 300_000n,
    ...(fields.type ? {} : { type: 'eip1559' }),
    ...price,
    ...fields,
  } as never);
}
