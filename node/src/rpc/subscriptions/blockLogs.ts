import { type LogMatch, logMatches, matchingLogs } from '../../history/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import { formatLog, formatRemovedLog } from '../format/receipt.ts';

/** The logs of one block, new or taken back, for many subscriptions: found by address, written once. */
export class BlockLogs {
  readonly #height: number;
  readonly #removed: boolean;
  readonly #all: readonly LogMatch[];
  readonly #byAddress: ReadonlyMap<string, readonly LogMatch[]>;
  readonly #texts = new Map<LogMatch, string>();

  constructor(record: BlockRecord, { removed = false } = {}) {
    this.#removed = removed;
    this.#height = record.block.header.height;
    this.#all = [...matchingLogs(record, {})];
    this.#byAddress = Map.groupBy(this.#all, ({ address }) => bytesToHex(address));
  }

  /** JSON of the logs that a subscription asks for, in order; removed ones from the last to the first, as geth does. */
  matching(criteria: LogCriteria): string[] {
    const { addresses, topics } = criteria;
    if (!this.#isInRange(criteria)) return [];
    const candidates =
      addresses.length === 0
        ? this.#all
        : [...new Set(addresses.map(bytesToHex))]
            .flatMap((address) => this.#byAddress.get(address) ?? [])
            .sort((a, b) => a.logIndex - b.logIndex);
    const logs = candidates.filter((log) => logMatches(log, { topics }));
    return (this.#removed ? logs.reverse() : logs).map((log) => this.#textOf(log));
  }

  /** A number bounds the stream; a tag does not, and what was before is for `eth_getLogs`. */
  #isInRange({ from, to }: LogCriteria): boolean {
    const isBefore = typeof from === 'number' && this.#height < from;
    const isBehind = typeof to === 'number' && this.#height > to;
    return !isBefore && !isBehind;
  }

  #textOf(log: LogMatch): string {
    let text = this.#texts.get(log);
    if (text === undefined) {
      text = JSON.stringify(this.#removed ? formatRemovedLog(log) : formatLog(log));
      this.#texts.set(log, text);
    }
    return text;
  }
}
