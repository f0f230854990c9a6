import { constants, type ServerHttp2Stream } from 'node:http2';

/** Of all messages that are not whole yet. */
export interface PartialMessageLimits {
  /** Bytes of memory of all of them. */
  readonly maxPartialBytes: number;
  /** Pieces of one message: DATA frames, or parts of them where a read ended. */
  readonly maxPieces: number;
}

/** What a piece takes beside its bytes: @grpc/grpc-js keeps a Buffer for each until the message is whole. */
const PIECE_BYTES = 160;
/** A piece keeps the read of the socket that brought it, however little of it is its own. */
const MAX_READ_BYTES = 64 * 1024;
/** Before each message: a flag, and its length in 4 bytes. */
const PREFIX_BYTES = 5;

interface Message {
  /** Bytes of its prefix that have come, and bytes behind the prefix that have not. */
  prefix: number;
  left: number;
  pieces: number;
  bytes: number;
}

/**
 * The memory of messages that have begun and are not whole, over all streams. A message of too many pieces ends its
 * stream with ENHANCE_YOUR_CALM, which clients read as RESOURCE_EXHAUSTED; when all take too much, streams end whose
 * messages began first.
 */
export class PartialMessages {
  readonly #limits: PartialMessageLimits;
  /** In the order in which their messages began. */
  readonly #partial = new Map<ServerHttp2Stream, number>();
  #held = 0;

  constructor(limits: PartialMessageLimits) {
    this.#limits = limits;
  }

  /** Follows a stream to its end. Must be called before anything listens to its data. */
  watch(stream: ServerHttp2Stream): void {
    const message: Message = { prefix: 0, left: 0, pieces: 0, bytes: 0 };
    let readBefore = bytesRead(stream);
    // The library starts the flow, once it listens.
    stream.pause();
    stream.on('data', (piece: Buffer) => {
      const read = bytesRead(stream);
      pass(message, piece, Math.min(MAX_READ_BYTES, Math.max(piece.length, read - readBefore)));
      readBefore = read;
      this.#hold(stream, message.bytes + message.pieces * PIECE_BYTES);
      if (message.pieces > this.#limits.maxPieces) this.#end(stream);
      for (const [oldest] of this.#partial) {
        if (this.#held <= this.#limits.maxPartialBytes) return;
        this.#end(oldest);
      }
    });
    stream.once('close', () => this.#hold(stream, 0));
  }

  #end(stream: ServerHttp2Stream): void {
    this.#hold(stream, 0);
    stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #hold(stream: ServerHttp2Stream, wanted: number): void {
    // What was read before a stream was closed still comes, and is dropped.
    const bytes = stream.closed ? 0 : wanted;
    this.#held += bytes - (this.#partial.get(stream) ?? 0);
    if (bytes > 0) this.#partial.set(stream, bytes);
    else this.#partial.delete(stream);
  }
}

function bytesRead({ session }: ServerHttp2Stream): number {
  return session?.destroyed === false ? session.socket.bytesRead : 0;
}

/** Counts a piece, which keeps so many bytes, for the message that it leaves unfinished. */
function pass(message: Message, piece: Buffer, keptBytes: number): void {
  let at = 0;
  while (at < piece.length) {
    if (message.prefix < PREFIX_BYTES) {
      // Its first byte is the flag.
      if (message.prefix++ > 0) message.left = message.left * 256 + piece[at]!;
      at++;
    } else {
      const taken = Math.min(message.left, piece.length - at);
      message.left -= taken;
      at += taken;
    }
    if (message.prefix === PREFIX_BYTES && message.left === 0)
      Object.assign(message, { prefix: 0, pieces: 0, bytes: 0 });
  }
  if (message.prefix === 0) return;
  message.pieces++;
  message.bytes += keptBytes;
}
