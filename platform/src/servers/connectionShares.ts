import type { Server, Socket } from 'node:net';
import { clientOf } from '../clientOf.ts';

/** Counts the connection as answering whenever `isAnswering` says so, until the returned function is called. */
export type WatchAnswers = (isAnswering: () => boolean) => () => void;

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>;

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  readonly answers: Set<() => boolean>;
}

/**
 * The connections of a listener, of which one client (an IPv4 address, or the /64 of an IPv6 address) cannot keep all.
 * Once there are `max`, a newcomer takes the place of the oldest connection that answers nothing of the client that
 * holds most, as long as that one still holds more than the newcomer's then. Otherwise the newcomer is refused, as it
 * is where all clients come through one proxy.
 */
export class ConnectionShares {
  readonly #max: number;
  /** In the order in which they came. */
  readonly #connections = new Map<string, Connection>();
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Must be called once all else listens to the server's connections: what is refused reaches nobody. */
  guard(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#admits(socket)) for (const listener of listeners) listener.call(server, socket);
      else socket.destroy();
    });
  }

  /** The socket may be another one over the same connection, such as TLS's or an HTTP/2 session's. */
  watch(socket: Ends, isAnswering: () => boolean): () => void {
    const answers = this.#connections.get(nameOf(socket))?.answers;
    answers?.add(isAnswering);
    return () => void answers?.delete(isAnswering);
  }

  #admits(socket: Socket): boolean {
    const client = clientOf(socket.remoteAddress ?? '');
    if (this.#connections.size >= this.#max && !this.#makeRoom(this.#countOf(client) + 1)) return false;
    const name = nameOf(socket);
    const connection = { socket, client, answers: new Set<() => boolean>() };
    this.#connections.set(name, connection);
    this.#held.set(client, this.#countOf(client) + 1);
    socket.once('close', () => this.#forget(name, connection));
    return true;
  }

  /** False when no client that holds more than `count` has a connection that answers nothing. */
  #makeRoom(count: number): boolean {
    const larger = [...this.#held].filter(([, held]) => held > count).sort(([, a], [, b]) => b - a);
    for (const [client] of larger) {
      for (const [name, connection] of this.#connections) {
        if (connection.client !== client || isAnswering(connection)) continue;
        this.#forget(name, connection);
        connection.socket.destroy();
        return true;
      }
    }
    return false;
  }

  #countOf(client: string): number {
    return this.#held.get(client) ?? 0;
  }

  #forget(name: string, connection: Connection): void {
    if (this.#connections.get(name) !== connection) return;
    this.#connections.delete(name);
    const rest = this.#countOf(connection.client) - 1;
    if (rest > 0) this.#held.set(connection.client, rest);
    else this.#held.delete(connection.client);
  }
}

function isAnswering({ answers }: Connection): boolean {
  for (const answering of answers) if (answering()) return true;
  return false;
}

function nameOf({ remoteAddress, remotePort, localAddress }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
