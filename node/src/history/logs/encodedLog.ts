import type { ByteReader } from '../record/byteReader.ts';
import type { LogMatch } from './logQuery.ts';

/** What all logs of a receipt have in common. */
export type ReceiptPlace = Pick<
  LogMatch,
  'blockNumber' | 'blockHash' | 'blockSeconds' | 'transactionHash' | 'transactionIndex'
>;

/** Is given the parts of a log where they lie, so that no object has to be made for them. */
export interface LogVisitor {
  address(bytes: Uint8Array, start: number, end: number): void;
  topic(bytes: Uint8Array, start: number, end: number): void;
  data(bytes: Uint8Array, start: number, end: number): void;
}

/** A log inside an encoded block record: its parts are read when they are asked for. */
export class EncodedLog implements LogMatch {
  readonly logIndex: number;
  /** The same object for all logs of a receipt. */
  readonly #place: ReceiptPlace;
  /** Of the record; all its logs share it and each sets it to its own start. */
  readonly #reader: ByteReader;
  readonly #start: number;

  constructor(reader: ByteReader, start: number, place: ReceiptPlace, logIndex: number) {
    this.#reader = reader;
    this.#start = start;
    this.#place = place;
    this.logIndex = logIndex;
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

  visit(visitor: LogVisitor): void {
    const reader = this.#begin();
    const { content } = reader;
    visitor.address(content, reader.skipBytes(), reader.offset);
    for (let topics = reader.count(); topics > 0; topics--) {
      visitor.topic(content, reader.skipBytes(), reader.offset);
    }
    visitor.data(content, reader.skipBytes(), reader.offset);
  }

  #begin(): ByteReader {
    this.#reader.offset = this.#start;
    return this.#reader;
  }
}

/** Shows a log to a visitor. */
export function visitLog(log: LogMatch, visitor: LogVisitor): void {
  if (log instanceof EncodedLog) {
    log.visit(visitor);
    return;
  }
  visitor.address(log.address, 0, log.address.length);
  for (const topic of log.topics) visitor.topic(topic, 0, topic.length);
  visitor.data(log.data, 0, log.data.length);
}
