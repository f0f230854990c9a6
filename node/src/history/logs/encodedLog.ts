import type { ByteReader } from '../record/byteReader.ts';
import { ByteWriter } from '../record/byteWriter.ts';
import type { LogMatch } from './logQuery.ts';

/** What all logs of a receipt have in common. */
export type ReceiptPlace = Pick<
  LogMatch,
  'blockNumber' | 'blockHash' | 'blockSeconds' | 'transactionHash' | 'transactionIndex'
>;

/**
 * Where a log lies in bytes, so that no object has to be made for its parts: at `start` of `record` the address, the
 * count of topics, each topic, and the data; bytes behind their count, and counts in groups of seven bits, lowest first.
 */
export interface LogBytes {
  readonly record: Uint8Array;
  readonly start: number;
}

/** A log inside an encoded block record: its parts are read when they are asked for. */
export class EncodedLog implements LogMatch, LogBytes {
  readonly logIndex: number;
  readonly start: number;
  /** The same object for all logs of a receipt. */
  readonly #place: ReceiptPlace;
  /** Of the record; all its logs share it and each sets it to its own start. */
  readonly #reader: ByteReader;

  constructor(reader: ByteReader, start: number, place: ReceiptPlace, logIndex: number) {
    this.#reader = reader;
    this.start = start;
    this.#place = place;
    this.logIndex = logIndex;
  }

  /** The same for all logs of a block. */
  get record(): Uint8Array {
    return this.#reader.content;
  }

  get blockNumber(): number {
    return this.#place.blockNumber;
  }

  get blockHash(): Uint8Array {
    return this.#place.blockHash;
  }

  get blockSeconds(): bigint {
    return this.#place.blockSeconds;
  }

  get transactionHash(): Uint8Array {
    return this.#place.transactionHash;
  }

  get transactionIndex(): number {
    return this.#place.transactionIndex;
  }

  get address(): Uint8Array {
    return this.#begin().bytes();
  }

  get topics(): Uint8Array[] {
    const reader = this.#begin();
    reader.skipBytes();
    return reader.list(() => reader.bytes());
  }

  get data(): Uint8Array {
    const reader = this.#begin();
    reader.skipBytes();
    for (let topics = reader.count(); topics > 0; topics--) reader.skipBytes();
    return reader.bytes();
  }

  #begin(): ByteReader {
    this.#reader.offset = this.start;
    return this.#reader;
  }
}

/** Where a log lies; one of a decoded block gets bytes of its own. */
export function bytesOfLog(log: LogMatch): LogBytes {
  if (log instanceof EncodedLog) return log;
  const { address, topics, data } = log;
  const writer = new ByteWriter();
  writer
    .bytes(address)
    .list(topics, (topic) => writer.bytes(topic))
    .bytes(data);
  return { record: writer.finish(), start: 0 };
}
