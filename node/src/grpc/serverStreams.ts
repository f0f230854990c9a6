import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** Published by node:http2 before anything has been read from a stream; @grpc/grpc-js shows its streams to nobody. */
const CREATED = 'http2.server.stream.created';
const LISTENER = Symbol('listener');

type Marked = Socket & { [LISTENER]?: object };

/** The HTTP/2 streams of the sockets of one listener. */
export class ServerStreams {
  readonly #created: (stream: ServerHttp2Stream) => void;

  constructor(created: (stream: ServerHttp2Stream) => void) {
    this.#created = created;
    subscribe(CREATED, this.#onCreated);
  }

  /** Must be called before the socket becomes an HTTP/2 session. */
  mark(socket: Socket): void {
    (socket as Marked)[LISTENER] = this;
  }

  close(): void {
    unsubscribe(CREATED, this.#onCreated);
  }

  readonly #onCreated = (message: unknown): void => {
    const { stream } = message as { readonly stream: ServerHttp2Stream };
    // Other servers of the process publish here too.
    const socket = stream.session?.socket as Marked | undefined;
    if (socket?.[LISTENER] === this) this.#created(stream);
  };
}
