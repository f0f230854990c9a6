import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { expect } from 'vitest';
import { developmentAccount } from './accounts.ts';
import { complaints, type Outcome } from './chaind.ts';
import { chaindHere } from './chaindHere.ts';
import { type DevNode, startDevNode } from './devNode.ts';
import { rpcCall } from './rpcCall.ts';
import { until } from './until.ts';

/** A contract whose every call adds one to its slot 0. */
export const COUNTER_CODE = '0x5f546001015f5500';
const COUNTER: Hex = '0x675f546001015f55005f5260086018f3';
export const JSON_LOG = ['--set', 'node.log-format=json'];

/** Homes of one test file, in a directory that goes with them. */
export interface Homes {
  readonly root: string;
  /** A path where nothing is yet. */
  fresh(): string;
  /** A home of its own with what a stopped node left. */
  copyOf(home: string): string;
  remove(): void;
}

export function createHomes(): Homes {
  const root = mkdtempSync(join(tmpdir(), 'startup-'));
  let count = 0;
  const fresh = (): string => join(root, `home-${count++}`);
  return {
    root,
    fresh,
    copyOf: (home) => {
      const copy = fresh();
      cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
      return copy;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What an operator does with an editor. */
export function edit(home: string, key: string, value: string): void {
  const path = join(home, 'config/app.toml');
  const text = readFileSync(path, 'utf8');
  const line = new RegExp(`^${key} = .*$`, 'm');
  expect(text).toMatch(line);
  writeFileSync(path, text.replace(line, `${key} = ${value}`));
}

/** `chaind start` on ports that the system chooses, in this process: for starts that are refused. */
export async function start(home: string, ...args: readonly string[]): Promise<Outcome> {
  const ports = ['--http-port', '0', '--ws-port', '0', '--admin-port', '0'];
  const addresses = ['--grpc-address', '127.0.0.1:0', '--rest-address', '127.0.0.1:0'];
  const consensus = ['--rpc-laddr', 'tcp://127.0.0.1:0'];
  return chaindHere(['start', '--home', home, ...ports, ...addresses, ...consensus, ...args]);
}

/** The one line of a refusal, which has exit code 1, a remedy and no stack. */
export function refusalOf(outcome: Outcome): string {
  const lines = complaints(outcome);
  expect(lines).toEqual([expect.stringMatching(/^error: .*(; |: complete the state sync )/)]);
  expect(outcome).toMatchObject({ code: 1, err: expect.not.stringContaining('    at ') });
  return lines[0]!;
}

/** One transaction of the first development account, and its receipt. */
export async function send(
  node: DevNode,
  nonce: number,
  fields: { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint },
): Promise<{ readonly status: Hex; readonly contractAddress: Hex }> {
  const raw = await developmentAccount(0).signTransaction({
    chainId: 713_714,
    type: 'eip1559',
    nonce,
    gas: 200_000n,
    maxFeePerGas: 1_000_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...fields,
  });
  const hash = await rpcCall<Hex>(node.url, 'eth_sendRawTransaction', [raw]);
  return until('the receipt', async () => {
    const receipt = await rpcCall<{ status: Hex; contractAddress: Hex } | null>(
      node.url,
      'eth_getTransactionReceipt',
      [hash],
    );
    return receipt ?? undefined;
  });
}

export async function heightOf(node: DevNode): Promise<number> {
  return Number(await rpcCall<Hex>(node.url, 'eth_blockNumber'));
}

/** The counter of a contract, as slot 0 has it. */
export async function countOf(node: DevNode, address: Hex, height?: number): Promise<bigint> {
  const block = height === undefined ? 'latest' : `0x${height.toString(16)}`;
  return BigInt(await rpcCall<Hex>(node.url, 'eth_getStorageAt', [address, '0x0', block]));
}

/** What a stopped node left. */
export interface MadeChain {
  readonly home: string;
  readonly counter: Hex;
  readonly height: number;
  readonly printed: string;
}

/**
 * Makes a development chain of four blocks, and so many empty ones behind them, whose counter stands at 2, and stops it;
 * nonce 3 is next.
 */
export async function makeChain(home: string, split: boolean, emptyBlocks = 0): Promise<MadeChain> {
  const node = await startDevNode({ home, split, blockTimeMs: 0, args: JSON_LOG });
  try {
    const { contractAddress: counter } = await send(node, 0, { data: COUNTER });
    await send(node, 1, { to: counter });
    await send(node, 2, { to: counter });
    expect(await rpcCall(node.url, 'eth_getCode', [counter, 'latest'])).toBe(COUNTER_CODE);
    if (emptyBlocks > 0) await rpcCall(node.url, 'hardhat_mine', [`0x${emptyBlocks.toString(16)}`]);
    const height = await heightOf(node);
    expect(await node.stop()).toBe(0);
    return { home, counter, height, printed: node.output() };
  } finally {
    await node.kill9();
  }
}
