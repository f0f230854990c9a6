import { equalBytes } from '../../primitives/index.ts';
import { type BlockRecord, type EvmLog, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';

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
}

export type LogPattern = Pick<LogQuery, 'addresses' | 'topics' | 'includeSynthetic'>;

/** A log and where it was found. */
export interface LogMatch {
  readonly record: BlockRecord;
  readonly receipt: Receipt;
  readonly log: EvmLog;
  /** Block-wide. */
  readonly logIndex: number;
}

/** The matching logs of one block in order of their index. */
export function* matchingLogs(record: BlockRecord, pattern: LogPattern): Iterable<LogMatch> {
  for (const receipt of record.receipts) {
    if (receipt.type === SYNTHETIC_TYPE && !pattern.includeSynthetic) continue;
    for (let i = 0; i < receipt.logs.length; i++) {
      const log = receipt.logs[i]!;
      if (logMatches(log, pattern)) yield { record, receipt, log, logIndex: receipt.firstLogIndex + i };
    }
  }
}

/** Whether one log fits: the rule of `eth_getLogs`, also for filters and subscriptions. */
function logMatches(log: EvmLog, { addresses, topics = [] }: LogPattern): boolean {
  if (!oneOf(addresses, log.address) || topics.length > log.topics.length) return false;
  return topics.every((alternatives, i) => oneOf(alternatives, log.topics[i]!));
}

function oneOf(alternatives: readonly Uint8Array[] | null | undefined, value: Uint8Array): boolean {
  return !alternatives?.length || alternatives.some((alternative) => equalBytes(alternative, value));
}
