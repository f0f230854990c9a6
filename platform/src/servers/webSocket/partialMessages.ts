import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

export interface PartialMessageLimits {
  /** Bytes of memory of all messages that are not whole yet. */
  readonly maxPartialBytes: number;
  /** Of one message. */
  readonly maxFragments: number;
}

/** What a piece takes beside its bytes: who sends a message byte by byte makes us hold an object for each. */
const PIECE_BYTES = 160;
/** On the wire, with its head. */
const SMALLEST_FRAGMENT_BYTES = 7;
/** Head and mask of a ping or a pong. */
const CONTROL_HEAD_BYTES = 6;

interface Connection {
  readonly drop: () => void;
  /** Of the message that is under way, as far as it is known: it may have begun in the read that ended another. */
  bytes: number;
  reads: number;
  /** What the read that is being worked on brought beside parts of a message. */
  controlBytes: number;
  hasEnded: boolean;
}

/**
 * The memory of messages that have begun and are not whole, over all connections. When they are too many, those that
 * began first lose their connections: who means what it sends needs a moment for it.
 */
export class PartialMessages {
  readonly #limits: PartialMessageLimits;
  /** In the order in which their messages began. */
  readonly #partial = new Map<Connection, number>();
  #held = 0;

  constructor(limits: PartialMessageLimits) {
    this.#limits = limits;
  }

  /** Follows a connection to its end; `drop` must end it. Must be called before anything has been read from it. */
  watch({ socket, opened }: { readonly socket: Duplex; readonly opened: WebSocket }, drop: () => void): void {
    const connection: Connection = { drop, bytes: 0, reads: 0, controlBytes: 0, hasEnded: false };
    const control = (data: Buffer): void => {
      connection.controlBytes += data.length + CONTROL_HEAD_BYTES;
    };
    opened.on('ping', control).on('pong', control);
    opened.on('message', () => {
      connection.hasEnded = true;
    });
    opened.once('close', () => this.#hold(connection, 0));
    // The library has listened before, and has told by now what the read brought.
    socket.on('data', (chunk: Buffer) => this.#read(connection, chunk.length));
  }

  #read(connection: Connection, bytes: number): void {
    const more = bytes - connection.controlBytes;
    connection.controlBytes = 0;
    if (connection.hasEnded) {
      connection.hasEnded = false;
      connection.bytes = 0;
      connection.reads = 0;
    } else if (more > 0) {
      connection.bytes += more;
      connection.reads++;
    }
    this.#hold(connection, this.#memoryOf(connection));
    for (const [oldest] of this.#partial) {
      if (this.#held <= this.#limits.maxPartialBytes) return;
      this.#hold(oldest, 0);
      oldest.drop();
    }
  }

  #memoryOf({ bytes, reads }: Connection): number {
    const fragments = Math.min(Math.ceil(bytes / SMALLEST_FRAGMENT_BYTES), this.#limits.maxFragments);
    return bytes + (reads + fragments) * PIECE_BYTES;
  }

  #hold(connection: Connection, bytes: number): void {
    this.#held += bytes - (this.#partial.get(connection) ?? 0);
    if (bytes > 0) this.#partial.set(connection, bytes);
    else this.#partial.delete(connection);
  }
}
