import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Where a body goes as it comes off the wire. */
export interface BodySink {
  data(chunk: Buffer): void;
  end(): void;
  /** The peer left before the end. */
  gone(): void;
}

/**
 * A request whose body can go straight to a sink: the parser's chunks then skip the stream's queue, events and
 * turns, which cost more than a small body itself. Without a sink it is a stream like any other.
 */
export class DirectMessage extends IncomingMessage {
  static {
    // node:http lets go of a request that has been read. The types say property, so no accessor of the class may.
    const { get: streamEnded } = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')!;
    Object.defineProperty(DirectMessage.prototype, 'readableEnded', {
      get(this: DirectMessage): boolean {
        return this.#hasEnded || streamEnded!.call(this);
      },
    });
  }

  #sink: BodySink | undefined;
  #hasEnded = false;

  /** Must be called in the turn in which the request came, before its body. */
  sendTo(sink: BodySink): void {
    this.#sink = sink;
  }

  /** What is still to come is thrown away. */
  discard(): void {
    this.#sink = undefined;
    if (!this.#hasEnded) this.resume();
  }

  /** The parser's side: a chunk, or null at the end. */
  override push(chunk: Buffer | null): boolean {
    const sink = this.#sink;
    if (!sink) return super.push(chunk);
    if (chunk !== null) {
      sink.data(chunk);
      return true;
    }
    this.#sink = undefined;
    this.#hasEnded = true;
    sink.end();
    return false;
  }

  /** node:http reads what nobody read: here there is nothing left. */
  _dump(): void {
    if (!this.#hasEnded) dumpStream.call(this);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#sink?.gone();
    this.#sink = undefined;
    super._destroy(error, callback);
  }
}

const { _dump: dumpStream } = IncomingMessage.prototype as unknown as { _dump(this: IncomingMessage): void };
