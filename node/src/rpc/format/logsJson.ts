import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LogMatch, type LogVisitor, visitLog } from '../../history/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';
import { AsciiWriter } from './asciiWriter.ts';

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
/** Between two looks at the clock. */
const LOGS_PER_LOOK = 256;
/** The event loop gets its turn after so long. */
const TURN_MS = 3;

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
  limits.signal.throwIfAborted();
  let turnEnds = performance.now() + TURN_MS;
  for (let i = 0; i < logs.length; i++) {
    writer.add(logs[i]!);
    if (writer.length > limits.bytesMax) throw tooLarge(limits.bytesMax);
    if (i % LOGS_PER_LOOK !== LOGS_PER_LOOK - 1 || performance.now() < turnEnds) continue;
    await nextTurn();
    limits.signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  return new RawJson(writer.list());
}

function tooLarge(bytesMax: number) {
  return serverError(
    `query matches too many log bytes: result exceeds the maximum of ${bytesMax} bytes; narrow the block range or filter criteria`,
  );
}

class LogsWriter implements LogVisitor {
  readonly #out: AsciiWriter;
  #isFirstTopic = true;
  /** What all logs of a receipt have, for the last one seen. */
  #receipt: { readonly of: Uint8Array; readonly json: Buffer } | undefined;

  constructor(options: { readonly bytes: number }) {
    this.#out = new AsciiWriter(options);
    this.#out.put(OPEN);
  }

  get length(): number {
    return this.#out.length;
  }

  /** Closes the list, which then takes no more. */
  list(): Uint8Array {
    this.#out.put(CLOSE);
    return this.#out.written();
  }

  add(log: LogMatch): void {
    const out = this.#out;
    if (out.length > 1) out.put(COMMA);
    this.#isFirstTopic = true;
    visitLog(log, this);
    out.put(this.#placeOf(log));
    out.digits(log.logIndex);
    out.put(END);
  }

  address(bytes: Uint8Array, start: number, end: number): void {
    this.#out.put(ADDRESS);
    this.#out.hex(bytes, start, end);
    this.#out.put(TOPICS);
  }

  topic(bytes: Uint8Array, start: number, end: number): void {
    this.#out.put(this.#isFirstTopic ? TOPIC : NEXT_TOPIC);
    this.#isFirstTopic = false;
    this.#out.hex(bytes, start, end);
    this.#out.put(QUOTE);
  }

  data(bytes: Uint8Array, start: number, end: number): void {
    this.#out.put(DATA);
    this.#out.hex(bytes, start, end);
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
}
