import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LogMatch, type LogVisitor, visitLog } from '../../history/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';

/** Two hex digits of each byte. */
const [HIGH, LOW] = [0, 1].map((digit) =>
  Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(digit)),
) as [Uint8Array, Uint8Array];
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const ADDRESS = ascii('{"address":"0x');
const TOPICS = ascii('","topics":[');
const TOPIC = ascii('"0x');
const NEXT_TOPIC = ascii(',"0x');
const QUOTE = ascii('"');
const DATA = ascii('],"data":"0x');
const END = ascii('","removed":false}');
const COMMA = ascii(',');
const OPEN = ascii('[');
const CLOSE = ascii(']');

/** Of a log with three topics and a word of data; grows where they are longer. */
const LOG_BYTES = 680;
const LOGS_PER_TURN = 4096;

/** Limits of one answer. */
export interface LogsJsonLimits {
  /** Of its text. Above it the query is refused. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * A list of logs as JSON, the same text as of `formatLog`, but made from the bytes without an object for each part;
 * the event loop gets its turns. Throws −32000 when it grows beyond its limit, and the signal's reason.
 */
export async function logsJson(logs: readonly LogMatch[], limits: LogsJsonLimits): Promise<RawJson> {
  const writer = new LogsWriter({ bytes: Math.min(logs.length * LOG_BYTES, limits.bytesMax) });
  for (let i = 0; i < logs.length; i++) {
    writer.add(logs[i]!);
    if (writer.length > limits.bytesMax) throw tooLarge(limits.bytesMax);
    if (i % LOGS_PER_TURN !== LOGS_PER_TURN - 1) continue;
    await nextTurn();
    limits.signal.throwIfAborted();
  }
  return new RawJson(writer.list());
}

function tooLarge(bytesMax: number) {
  return serverError(
    `query matches too many log bytes: result exceeds the maximum of ${bytesMax} bytes; narrow the block range or filter criteria`,
  );
}

class LogsWriter implements LogVisitor {
  #out: Buffer;
  #length = 0;
  #isFirstTopic = true;
  /** What all logs of a receipt have, for the last one seen. */
  #receipt: { readonly of: Uint8Array; readonly json: Buffer } | undefined;

  constructor(options: { readonly bytes: number }) {
    this.#out = Buffer.allocUnsafe(options.bytes);
    this.#put(OPEN);
  }

  get length(): number {
    return this.#length;
  }

  /** Closes the list, which then takes no more. */
  list(): Uint8Array {
    this.#put(CLOSE);
    return this.#out.subarray(0, this.#length);
  }

  add(log: LogMatch): void {
    if (this.#length > 1) this.#put(COMMA);
    this.#isFirstTopic = true;
    visitLog(log, this);
    this.#put(this.#placeOf(log));
    this.#digits(log.logIndex);
    this.#put(END);
  }

  address(bytes: Uint8Array, start: number, end: number): void {
    this.#put(ADDRESS);
    this.#hex(bytes, start, end);
    this.#put(TOPICS);
  }

  topic(bytes: Uint8Array, start: number, end: number): void {
    this.#put(this.#isFirstTopic ? TOPIC : NEXT_TOPIC);
    this.#isFirstTopic = false;
    this.#hex(bytes, start, end);
    this.#put(QUOTE);
  }

  data(bytes: Uint8Array, start: number, end: number): void {
    this.#put(DATA);
    this.#hex(bytes, start, end);
  }

  #placeOf(log: LogMatch): Buffer {
    if (this.#receipt?.of !== log.transactionHash) {
      const place = [
        `","blockNumber":"${toHexQuantity(log.blockNumber)}"`,
        `"transactionHash":"${toHexData(log.transactionHash)}"`,
        `"transactionIndex":"${toHexQuantity(log.transactionIndex)}"`,
        `"blockHash":"${toHexData(log.blockHash)}"`,
        `"blockTimestamp":"${toHexQuantity(log.blockSeconds)}"`,
        '"logIndex":"0x',
      ];
      this.#receipt = { of: log.transactionHash, json: ascii(place.join(',')) };
    }
    return this.#receipt.json;
  }

  #put(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    const out = this.#out;
    let at = this.#length;
    // For some dozen bytes a loop is faster than a copy by the runtime.
    if (bytes.length > 64) out.set(bytes, at);
    else for (let i = 0; i < bytes.length; i++) out[at++] = bytes[i]!;
    this.#length += bytes.length;
  }

  #hex(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve((end - start) * 2);
    const out = this.#out;
    let at = this.#length;
    for (let i = start; i < end; i++) {
      out[at++] = HIGH[bytes[i]!]!;
      out[at++] = LOW[bytes[i]!]!;
    }
    this.#length = at;
  }

  #digits(value: number): void {
    const text = value.toString(16);
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#out[this.#length++] = text.charCodeAt(i);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#out.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#length + more, this.#out.length * 2));
    grown.set(this.#out.subarray(0, this.#length));
    this.#out = grown;
  }
}
