import { equalBytes } from '../../primitives/index.ts';
import { type BlockRecord, type EvmLog, SYNTHETIC_TYPE } from '../../types/index.ts';

/** Which logs are asked for. Heights are inclusive and cut to what history holds. */
export interface LogQuery {
  readonly fromHeight: number;
  readonly toHeight: number;
  /** Any of these; absent or empty is any address. */
  readonly addresses?: readonly Uint8Array[];
  /** For each position its alternatives; `null` or none is anything. A log with fewer topics does not match. */
  readonly topics?: readonly (readonly Uint8Array[] | null)[];
  /** At most this many logs, the first ones. */
  readonly limit?: number;
  /** Also logs of synthetic receipts; the plain `eth_` methods do not list them. */
  readonly includeSynthetic?: boolean;
  /** Ends the search; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type LogPattern = Pick<LogQuery, 'addresses' | 'topics' | 'includeSynthetic'>;

/**
 * A log and its place. Indexes count through what the query lists of the block, so that they differ with
 * `includeSynthetic` (spec G-5).
 */
export interface LogMatch extends EvmLog {
  readonly blockNumber: number;
  readonly blockHash: Uint8Array;
  /** Unix time of the block. */
  readonly blockSeconds: bigint;
  readonly transactionHash: Uint8Array;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

/** The matching logs of one decoded block, in order of their index. */
export function* matchingLogs(record: BlockRecord, pattern: LogPattern): Iterable<LogMatch> {
  const { id, header } = record.block;
  const block = { blockNumber: header.height, blockHash: id.hash, blockSeconds: header.time.seconds };
  let transactionIndex = 0;
  let logIndex = 0;
  for (const { type, transactionHash, logs } of record.receipts) {
    if (type === SYNTHETIC_TYPE && !pattern.includeSynthetic) continue;
    for (const log of logs) {
      if (logMatches(log, pattern)) {
        yield { ...log, ...block, transactionHash, transactionIndex, logIndex };
      }
      logIndex++;
    }
    transactionIndex++;
  }
}

/** Whether one log fits: the rule of `eth_getLogs`, also for filters and subscriptions. */
export function logMatches(log: EvmLog, { addresses, topics = [] }: LogPattern): boolean {
  if (!oneOf(addresses, log.address) || topics.length > log.topics.length) return false;
  return topics.every((alternatives, i) => oneOf(alternatives, log.topics[i]!));
}

function oneOf(alternatives: readonly Uint8Array[] | null | undefined, value: Uint8Array): boolean {
  return !alternatives?.length || alternatives.some((alternative) => equalBytes(alternative, value));
}
