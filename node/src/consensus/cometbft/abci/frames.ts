import { CodedError } from '@chain/platform';
import { concatAll, concatBytes, writeUvarint } from '../../../primitives/index.ts';

/** CometBFT's own limit of one message on the socket. */
const MAX_MESSAGE_BYTES = 104_857_600;
const MAX_LENGTH_BYTES = 5;

/** One message as it goes over the socket: its length as an unsigned varint, then its bytes. */
export function frame(message: Uint8Array): Uint8Array {
  return concatBytes(writeUvarint(message.length), message);
}

/** Cuts a stream of bytes into messages, however its pieces fall. A piece that is handed in is kept, not copied. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Length of the message that is under way, once it is known. */
  #wanted: number | undefined;

  constructor(maxBytes = MAX_MESSAGE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that this piece completes. Throws CONSENSUS_ABCI_FRAME; the stream is of no use afterwards. */
  push(piece: Uint8Array): Uint8Array[] {
    if (piece.length > 0) this.#pieces.push(piece);
    this.#held += piece.length;
    const messages: Uint8Array[] = [];
    for (let message = this.#next(); message; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Uint8Array | undefined {
    this.#wanted ??= this.#readLength();
    if (this.#wanted === undefined || this.#held < this.#wanted) return undefined;
    const message = this.#take(this.#wanted);
    this.#wanted = undefined;
    return message;
  }

  #readLength(): number | undefined {
    const start = this.#peek(MAX_LENGTH_BYTES);
    let length = 0;
    for (const [i, byte] of start.entries()) {
      length += (byte & 0x7f) * 2 ** (7 * i);
      if (byte >= 0x80) continue;
      if (length > this.#maxBytes) throw tooLong(length, this.#maxBytes);
      this.#take(i + 1);
      return length;
    }
    if (start.length === MAX_LENGTH_BYTES) throw tooLong(length, this.#maxBytes);
    return undefined;
  }

  /** Up to `count` bytes from the front, which stay. */
  #peek(count: number): Uint8Array {
    const [first] = this.#pieces;
    if (!first) return new Uint8Array(0);
    if (first.length >= count || this.#pieces.length === 1) return first.subarray(0, count);
    return concatAll(this.#pieces.slice(0, count)).subarray(0, count);
  }

  #take(count: number): Uint8Array {
    const [first] = this.#pieces;
    // Many messages in one piece are the common case; one message in many pieces is put together once.
    const all = first && first.length >= count ? first : concatAll(this.#pieces);
    const rest = all.subarray(count);
    const untouched = all === first ? this.#pieces.slice(1) : [];
    this.#pieces = rest.length > 0 ? [rest, ...untouched] : untouched;
    this.#held -= count;
    return all.subarray(0, count);
  }
}

function tooLong(length: number, maxBytes: number): CodedError {
  return new CodedError(
    'CONSENSUS_ABCI_FRAME',
    `an ABCI message of ${length} bytes or more was announced, and ${maxBytes} is the most; is it CometBFT v0.38 that connects?`,
    { fields: { length, maxBytes } },
  );
}
