import { readFileSync } from 'node:fs';
import { bytesOfLog, type LogMatch } from '../../history/index.ts';
import {
  Instance,
  Memory,
  Module,
  toHexData,
  toHexQuantity,
  type WebAssemblyMemory,
} from '../../primitives/index.ts';

interface Exports {
  begin(to: number): void;
  end(): number;
  setBlock(first: number, firstLength: number, second: number, secondLength: number): void;
  add(start: number, hash: number, transactionIndex: number, logIndex: number): void;
}

const PAGE_BYTES = 0x10000;
const FIRST_PAGES = 32;
const MAX_PAGES = 0x8000;
/** Behind the code's own constants: what a block's logs have in common, the hash of a transaction, a record, the text. */
const [FIRST_AT, SECOND_AT, HASH_AT, RECORD_AT] = [0x1000, 0x1200, 0x1400, 0x2000];
/** A log's text beside what its record gives. */
const FRAME_BYTES = 0x400;
/** Vectors are written and read beyond the end of what they hold. */
const BEYOND = 64;
/** Text that is handed out at once. */
const PIECE_BYTES = 256 << 10;
/** Between two looks at the clock. */
const LOGS_PER_LOOK = 64;

const module = new Module(readFileSync(new URL('./logsWriter.wasm', import.meta.url)));

/** A piece of the text, and the log that the next piece begins with. */
export interface LogsPiece {
  readonly text: Uint8Array;
  readonly next: number;
}

/**
 * Writes logs as JSON in WebAssembly, from the bytes of their block records: sixteen bytes become hex at a time, and
 * no object is made for a log. One for the whole server: nothing of a piece is left for the next one.
 */
export class LogsWriter {
  readonly #memory: WebAssemblyMemory = new Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
  readonly #wasm = new Instance(module, { env: { memory: this.#memory } }).exports as Exports;
  #bytes = new Uint8Array(this.#memory.buffer);
  /** What the memory has. */
  #record: Uint8Array | undefined;
  #recordRoom = PAGE_BYTES;
  #blockHash: Uint8Array | undefined;
  #hash: Uint8Array | undefined;

  /** Logs from `from` on, each behind a comma, until `until` of performance.now() or the piece is full; one at least. */
  write(logs: readonly LogMatch[], from: number, until: number): LogsPiece {
    this.#reserve(bytesOfLog(logs[from]!).record.length);
    const textAt = this.#textAt;
    this.#wasm.begin(textAt);
    let next = from;
    while (next < logs.length && this.#add(logs[next]!)) {
      next++;
      if (this.#wasm.end() - textAt > PIECE_BYTES) break;
      if (next % LOGS_PER_LOOK === 0 && performance.now() > until) break;
    }
    return { text: this.#bytes.slice(textAt, this.#wasm.end()), next };
  }

  /** False when there is no room for its record. */
  #add(log: LogMatch): boolean {
    const { record, start } = bytesOfLog(log);
    if (record.length > this.#recordRoom) return false;
    if (record !== this.#record) {
      this.#bytes.set(record, RECORD_AT);
      this.#record = record;
    }
    if (log.blockHash !== this.#blockHash) this.#placeBlock(log);
    if (log.transactionHash !== this.#hash) {
      this.#hash = log.transactionHash;
      this.#bytes.set(log.transactionHash, HASH_AT);
    }
    this.#wasm.add(RECORD_AT + start, HASH_AT, log.transactionIndex, log.logIndex);
    return true;
  }

  get #textAt(): number {
    return RECORD_AT + this.#recordRoom;
  }

  #reserve(recordBytes: number): void {
    if (recordBytes > this.#recordRoom) this.#recordRoom = Math.ceil(recordBytes / PAGE_BYTES) * PAGE_BYTES;
    // No log is longer than its record, whose every byte gives two digits, or six marks where two say that a topic begins.
    const needed = this.#textAt + PIECE_BYTES + 6 * this.#recordRoom + FRAME_BYTES + BEYOND;
    const missing = needed - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  #placeBlock({ blockHash, blockNumber, blockSeconds }: LogMatch): void {
    const [first, second] = [
      `","blockNumber":"${toHexQuantity(blockNumber)}","transactionHash":"0x`,
      `","blockHash":"${toHexData(blockHash)}","blockTimestamp":"${toHexQuantity(blockSeconds)}","logIndex":"0x`,
    ];
    for (const [text, at] of [
      [first, FIRST_AT],
      [second, SECOND_AT],
    ] as const) {
      this.#bytes.set(Buffer.from(text, 'latin1'), at);
    }
    this.#wasm.setBlock(FIRST_AT, first.length, SECOND_AT, second.length);
    this.#blockHash = blockHash;
  }
}
