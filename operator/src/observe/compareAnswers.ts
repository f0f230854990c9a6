import { isDeepStrictEqual } from 'node:util';
import { CodedError, isCodedError, messageOf, oneLine } from '@chain/platform';
import { askJsonRpc } from './askJsonRpc.ts';
import { heightToCompare } from './heightToCompare.ts';

export interface Comparison {
  /** Answers that were compared. */
  readonly compared: number;
  /** One line for each that differs, at most sixteen. */
  readonly differences: readonly string[];
}

export interface ComparisonOptions {
  /** Of one call; 10 s. */
  readonly timeoutMs?: number;
  /** Heights that are looked at for one with transactions; 128. */
  readonly lookBack?: number;
}

/** Accounts of a block that are asked for. */
const ACCOUNTS = 16;
const SHOWN = 16;
const TIMEOUT_MS = 10_000;
const LOOK_BACK = 128;

type Question = readonly [method: string, params: readonly unknown[]];

interface Block {
  readonly transactions: readonly {
    readonly hash: string;
    readonly from: string;
    readonly to: string | null;
  }[];
}

/**
 * Asks two nodes (JSON-RPC URLs) the same of the newest block with transactions that both have, or of the newest where
 * all are empty: the block, its receipts, logs and traces, balances and nonces of those who took part. An error of a
 * node is an answer as well. Throws OBSERVE_NO_ANSWER when one does not answer: that says nothing of its state.
 */
export async function compareAnswers(
  candidate: string,
  trusted: string,
  { timeoutMs = TIMEOUT_MS, lookBack = LOOK_BACK }: ComparisonOptions = {},
): Promise<Comparison> {
  const ask = <T>(url: string, [method, params]: Question): Promise<T> =>
    askJsonRpc(url, { method, params, timeoutMs });
  const height = await heightToCompare({ candidate, trusted, lookBack }, ask);
  const block = await ask<Block | null>(trusted, ['eth_getBlockByNumber', [height, true]]);
  if (block === null)
    throw new CodedError('OBSERVE_NO_ANSWER', `${trusted} does not have block ${Number(height)}`);
  const questions = questionsOf(height, block);
  const differences: string[] = [];
  for (const question of questions) {
    const [mine, theirs] = await Promise.all(
      [candidate, trusted].map((url) => ask<unknown>(url, question).catch(asAnswer)),
    );
    if (isDeepStrictEqual(mine, theirs)) continue;
    const [method, params] = question;
    differences.push(`${method} ${brief(params)}: ${brief(mine)}, not ${brief(theirs)}`);
  }
  return { compared: questions.length, differences: differences.slice(0, SHOWN) };
}

function questionsOf(height: string, { transactions }: Block): readonly Question[] {
  const accounts = new Set(transactions.flatMap(({ from, to }) => (to ? [from, to] : [from])));
  return [
    ['eth_getBlockByNumber', [height, true]],
    ['eth_getBlockReceipts', [height]],
    ['eth_getLogs', [{ fromBlock: height, toBlock: height }]],
    ['debug_traceBlockByNumber', [height, { tracer: 'callTracer' }]],
    ...[...accounts].slice(0, ACCOUNTS).flatMap((account): Question[] => [
      ['eth_getBalance', [account, height]],
      ['eth_getTransactionCount', [account, height]],
    ]),
  ];
}

/** Errors are answers too, and both nodes should give the same, as is too much to be read; silence is none. */
function asAnswer(error: unknown): string {
  if (isCodedError(error, 'OBSERVE_TOO_LARGE')) return 'error: the answer is too large to be compared';
  if (isCodedError(error, 'OBSERVE_NO_ANSWER')) throw error;
  return `error: ${messageOf(error)}`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return oneLine(text, 120);
}
