import { ByteReader } from '../record/byteReader.ts';
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
  /** The same object for all logs of a receipt. */
  readonly place: ReceiptPlace;
  readonly logIndex: number;
  readonly #record: Uint8Array;
  readonly #start: number;

  constructor(
    record: Uint8Array,
    options: { readonly start: number; readonly place: ReceiptPlace; readonly logIndex: number },
  ) {
    this.#record = record;
    this.#start = options.start;
    this.place = options.place;
    this.logIndex = options.logIndex;
  }

  get blockNumber(): number {
    return this.place.blockNumber;
  }

  get blockHash(): Uint8Array {
    return this.place.blockHash;
  }

  get blockSeconds(): bigint {
    return this.place.blockSeconds;
  }

  get transactionHash(): Uint8Array {
    return this.place.transactionHash;
  }

  get transactionIndex(): number {
    return this.place.transactionIndex;
  }

  get address(): Uint8Array {
    return this.#reader().bytes();
  }

  get topics(): Uint8Array[] {
    const reader = this.#reader();
    reader.skipBytes();
    return reader.list(() => reader.bytes());
  }

  get data(): Uint8Array {
    const reader = this.#reader();
    reader.skipBytes();
    for (let topics = reader.count(); topics > 0; topics--) reader.skipBytes();
    return reader.bytes();
  }

  visit(visitor: LogVisitor): void {
    const record = this.#record;
    const reader = this.#reader();
    visitor.address(record, reader.skipBytes(), reader.offset);
    for (let topics = reader.count(); topics > 0; topics--) {
      visitor.topic(record, reader.skipBytes(), reader.offset);
    }
    visitor.data(record, reader.skipBytes(), reader.offset);
  }

  #reader(): ByteReader {
    const reader = new ByteReader(this.#record);
    reader.offset = this.#start;
    return reader;
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
