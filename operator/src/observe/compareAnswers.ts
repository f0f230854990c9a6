import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '@chain/platform';
import { askJsonRpc } from './askJsonRpc.ts';

export interface Comparison {
  /** Answers that were compared. */
  readonly compared: number;
  /** One line for each that differs, at most sixteen. */
  readonly differences: readonly string[];
}

/** Accounts of a block that are asked for. */
const ACCOUNTS = 16;
const SHOWN = 16;
const TIMEOUT_MS = 10_000;

interface Block {
  readonly number: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly from: string;
    readonly to: string | null;
  }[];
}

/**
 * Asks two nodes (JSON-RPC URLs) the same of the newest block that both have: the block, its receipts, logs and traces,
 * balances and nonces of those who took part. Throws when one does not answer at all.
 */
export async function compareAnswers(candidate: string, trusted: string): Promise<Comparison> {
  const heads = await Promise.all(
    [candidate, trusted].map((url) => call<string>(url, 'eth_blockNumber', [])),
  );
  const height = `0x${Math.min(...heads.map(Number)).toString(16)}`;
  const block = await call<Block>(trusted, 'eth_getBlockByNumber', [height, true]);
  const accounts = new Set(block.transactions.flatMap(({ from, to }) => (to ? [from, to] : [from])));
  const questions: readonly (readonly [string, readonly unknown[]])[] = [
    ['eth_getBlockByNumber', [height, true]],
    ['eth_getBlockReceipts', [height]],
    ['eth_getLogs', [{ fromBlock: height, toBlock: height }]],
    ['debug_traceBlockByNumber', [height, { tracer: 'callTracer' }]],
    ...[...accounts].slice(0, ACCOUNTS).flatMap((account): [string, unknown[]][] => [
      ['eth_getBalance', [account, height]],
      ['eth_getTransactionCount', [account, height]],
    ]),
  ];
  const differences: string[] = [];
  for (const [method, parameters] of questions) {
    const [mine, theirs] = await Promise.all(
      [candidate, trusted].map((url) => answer(url, method, parameters)),
    );
    if (!isDeepStrictEqual(mine, theirs))
      differences.push(`${method} ${JSON.stringify(parameters)}: ${brief(mine)}, not ${brief(theirs)}`);
  }
  return { compared: questions.length, differences: differences.slice(0, SHOWN) };
}

/** Errors are answers too: both nodes should give the same. */
async function answer(url: string, method: string, parameters: readonly unknown[]): Promise<unknown> {
  return call(url, method, parameters).catch((error: unknown) => `error: ${messageOf(error)}`);
}

function call<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  return askJsonRpc(url, { method, params, timeoutMs: TIMEOUT_MS });
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
