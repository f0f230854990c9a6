import assert from 'node:assert';
import {
  type Abi,
  type AbiFunction,
  bytesToHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseGwei,
  toFunctionSelector,
} from 'viem';
import { developmentAccount } from '../support/accounts.ts';
import { compileContracts } from '../support/contracts.ts';
import { rpcBatch, rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import type { Bodies } from './loadGenerator.ts';
import { SENDERS, signTransfers } from './transfers.ts';

/** What the calls of a benchmark ask a node for: the same on every peer, but for hashes. */
export interface RpcSubjects {
  readonly url: string;
  /** A block of many transfers. */
  readonly block: Hex;
  readonly transfer: Hex;
  /** An ERC-20 with balances. */
  readonly token: Hex;
  /** Views of several kinds of work (Calls.sol). */
  readonly calls: Hex;
}

const TRANSFERS = 100;
/** Of the first sender. */
const DEPLOYMENTS = 3;
/** Transfers before it are in the chain once the subjects are there. */
export const firstFreeTransfer: number = TRANSFERS + DEPLOYMENTS * SENDERS;
const GENEROUS = `0x${(10n ** 21n).toString(16)}`;

interface Receipt {
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
}

/** Fills a new node: 100 transfers in one block, and a token. */
export async function prepareSubjects(url: string): Promise<RpcSubjects> {
  await fundSenders(url);
  const evmChainId = BigInt(await rpcCall<Hex>(url, 'eth_chainId'));
  const raws = signTransfers({ evmChainId, from: 0, count: TRANSFERS }).map((raw) => bytesToHex(raw));
  const transfers = await rpcBatch<Hex>(
    url,
    raws.map((raw) => ['eth_sendRawTransaction', [raw]] as const),
  );
  const receipts = await Promise.all(transfers.map((hash) => minedReceipt(url, hash)));
  const deployed = await deployContracts(url, Number(evmChainId));
  // The nonces of the others keep step with the first sender's.
  const more = signTransfers({ evmChainId, from: TRANSFERS, count: DEPLOYMENTS * SENDERS });
  for (const raw of more.filter((_, i) => i % SENDERS !== 0)) {
    await rpcCall(url, 'eth_sendRawTransaction', [bytesToHex(raw)]);
  }
  const last = receipts.at(-1)!;
  return { url, ...deployed, block: last.blockNumber, transfer: transfers.at(-1)! };
}

/** The same calls as of this node, by the names that the report has. */
export function callsOf({ block, transfer, token, calls }: RpcSubjects): Record<string, Bodies> {
  const accounts = Array.from({ length: 50 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as Hex);
  const rich = developmentAccount(0).address;
  const balanceOf = (owner: Hex) => {
    const { abi } = compileContracts().Token;
    return { to: token, data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] }) };
  };
  return {
    eth_blockNumber: [call('eth_blockNumber', [])],
    eth_getBalance: [rich, ...accounts].map((owner) => call('eth_getBalance', [owner, 'latest'])),
    eth_getStorageAt: accounts.map((_, i) =>
      call('eth_getStorageAt', [token, `0x${i.toString(16)}`, 'latest']),
    ),
    'eth_getBlockByNumber latest': [call('eth_getBlockByNumber', ['latest', false])],
    'eth_getBlockByNumber, 100 transactions, full': [call('eth_getBlockByNumber', [block, true])],
    eth_getTransactionReceipt: [call('eth_getTransactionReceipt', [transfer])],
    'eth_call, ERC-20 balanceOf, known on its block': [rich, ...accounts].map((owner) =>
      call('eth_call', [balanceOf(owner), 'latest']),
    ),
    'eth_call, ERC-20 balanceOf': distinctCalls(token, compileContracts().Token.abi, 'balanceOf'),
    ...Object.fromEntries(
      VIEWS.map(([name, view, ...count]) => [
        `eth_call, ${name}`,
        distinctCalls(calls, compileContracts().Calls.abi, view, ...count),
      ]),
    ),
  };
}

const VIEWS: readonly (readonly [name: string, view: string, ...count: number[]])[] = [
  ['a constant-product quote', 'quote'],
  ['50 slots', 'slots', 50],
  ['500 quotes', 'quotes', 500],
  ['300 hashes', 'hashes', 300],
  ['1,000 rounds of mixing', 'mixes', 1000],
  ['20 calls to itself', 'selfCalls', 20],
];

/** Calls of a view whose last argument is another each time: nothing is known of them on their block. */
function distinctCalls(to: Hex, abi: Abi, name: string, ...args: readonly number[]): () => string {
  const view = abi.find((item): item is AbiFunction => item.type === 'function' && item.name === name)!;
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const head = `${toFunctionSelector(view)}${args.map(word).join('')}`;
  let made = 0;
  return () => call('eth_call', [{ to, data: head + word(++made) }, 'latest']);
}

function call(method: string, params: unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Only geth's development chain has none of the accounts. */
export async function fundSenders(url: string): Promise<void> {
  for (let i = 0; i < SENDERS; i++) {
    const to = developmentAccount(i).address;
    if (BigInt(await rpcCall<Hex>(url, 'eth_getBalance', [to, 'latest'])) > 0n) continue;
    const [from] = await rpcCall<Hex[]>(url, 'eth_accounts');
    await minedReceipt(url, await rpcCall<Hex>(url, 'eth_sendTransaction', [{ from, to, value: GENEROUS }]));
  }
}

async function deployContracts(url: string, chainId: number): Promise<Pick<RpcSubjects, 'token' | 'calls'>> {
  const owner = developmentAccount(0);
  const { abi, bytecode } = compileContracts().Token;
  let nonce = TRANSFERS / SENDERS;
  const send = async (to: Hex | undefined, data: Hex): Promise<Receipt> => {
    const raw = await owner.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: nonce++,
      gas: 3_000_000n,
      to,
      data,
      maxFeePerGas: parseGwei('100'),
      maxPriorityFeePerGas: parseGwei('1'),
    });
    return minedReceipt(url, await rpcCall<Hex>(url, 'eth_sendRawTransaction', [raw]));
  };
  const { contractAddress } = await send(
    undefined,
    encodeDeployData({ abi, bytecode, args: ['Bench', 'B'] }),
  );
  assert.ok(contractAddress);
  const mint = { abi, functionName: 'mint', args: [owner.address, 10n ** 18n] } as const;
  await send(contractAddress, encodeFunctionData(mint));
  const { contractAddress: calls } = await send(undefined, compileContracts().Calls.bytecode);
  assert.ok(calls);
  return { token: contractAddress, calls };
}

async function minedReceipt(url: string, hash: Hex): Promise<Receipt> {
  const receipt = await until('the transaction is mined', async () => {
    return (await rpcCall<Receipt | null>(url, 'eth_getTransactionReceipt', [hash])) ?? undefined;
  });
  assert.equal(receipt.status, '0x1');
  return receipt;
}
