import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionShares } from '../connectionShares.ts';
import type { Admitted } from '../exchange.ts';
import type { HttpHandler } from '../httpExchange.ts';
import type { ReplyOptions } from '../httpReply.ts';
import type { BodyReader } from '../requestBody.ts';
import type { RequestGate } from '../requestGate.ts';
import { type Lane, LaneConnection } from './laneConnection.ts';
import { type RequestHead, RequestHeads } from './requestHead.ts';

export interface LaneLimits {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export interface LaneDeps {
  readonly server: Server;
  /** Under it the server hears of connections that requests come over. */
  readonly connectionEvent: 'connection' | 'secureConnection';
  readonly bodies: BodyReader;
  readonly replies: ReplyOptions;
  /** Of a request that the lane takes; `undefined` leaves it to node:http. */
  readonly handlerOf: (method: RequestHead['method'], url: string) => HttpHandler | undefined;
  /** See HttpServerOptions. */
  readonly retryAfterMs: (remoteAddress: string) => number;
  /** What it refuses is refused by node:http's side. */
  readonly gate: RequestGate;
  readonly shares: ConnectionShares;
}

const MAX_HEADS = 64;
/** Clients are told a little less than they get, so that none sends into a connection that is just being closed. */
const KEEP_ALIVE_SPARE_MS = 1000;

/**
 * The way of most calls past node:http's parser, streams and response, which cost more than a small call itself: a
 * POST to `/` that has come whole, head and body, or a GET, and holds nothing unusual. A connection over which anything else
 * comes (another path, a body in parts, a refusal) goes to node:http with its bytes, and stays there.
 */
export class DirectLane implements Lane {
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly #deps: LaneDeps;
  readonly #accept: (socket: Socket) => void;
  readonly #heads: RequestHeads;
  readonly #connections = new Set<LaneConnection>();
  readonly #keepAlive: string;
  /** Of usual replies by their headers, for the second that they tell. */
  readonly #usualHeads = new Map<readonly string[], string>();
  #secondEnds = 0;

  /** Takes the place of the server's listener for connections. */
  constructor(limits: LaneLimits, deps: LaneDeps) {
    const { server, connectionEvent } = deps;
    this.#deps = deps;
    this.headersTimeoutMs = limits.headersTimeoutMs;
    this.keepAliveTimeoutMs = limits.keepAliveTimeoutMs + KEEP_ALIVE_SPARE_MS;
    const seconds = Math.floor(limits.keepAliveTimeoutMs / 1000);
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`;
    this.#heads = new RequestHeads({ maxBytes: limits.maxHeaderBytes });
    const [accept] = server.listeners(connectionEvent);
    this.#accept = accept!.bind(server) as (socket: Socket) => void;
    server.removeAllListeners(connectionEvent);
    server.on(connectionEvent, (socket: Socket) => this.#connections.add(new LaneConnection(this, socket)));
  }

  get replies(): ReplyOptions {
    return this.#deps.replies;
  }

  get isClosing(): boolean {
    return this.#deps.replies.isClosing();
  }

  admit(chunk: Buffer, start: number, remoteAddress: string): Admitted<RequestHead> | undefined {
    const { retryAfterMs, bodies, handlerOf, gate } = this.#deps;
    const head = this.#heads.read(chunk, start);
    if (!head || start + head.size + head.bodySize > chunk.length) return undefined;
    const handler = handlerOf(head.method, head.url);
    if (!handler || this.isClosing || gate.refuses(head)) return undefined;
    if (retryAfterMs(remoteAddress) !== 0) return undefined;
    return bodies.hold(head.bodySize) ? { head, handler } : undefined;
  }

  watch(socket: Socket, isAnswering: () => boolean): () => void {
    return this.#deps.shares.watch(socket, isAnswering);
  }

  release(bytes: number): void {
    this.#deps.bodies.release(bytes);
  }

  headOf(status: number, headers: readonly string[]): string {
    const now = Date.now();
    if (now >= this.#secondEnds) {
      this.#secondEnds = now - (now % 1000) + 1000;
      this.#usualHeads.clear();
    }
    const known = status === 200 ? this.#usualHeads.get(headers) : undefined;
    if (known !== undefined) return known;
    const head = this.#makeHead(status, headers);
    if (status === 200 && this.#usualHeads.size < MAX_HEADS) this.#usualHeads.set(headers, head);
    return head;
  }

  forget(connection: LaneConnection): void {
    this.#connections.delete(connection);
  }

  handOver(socket: Socket, rest: Buffer): void {
    this.#accept(socket);
    socket.emit('data', rest);
  }

  /** Those under way are closed with their reply. */
  closeIdle(): void {
    for (const connection of this.#connections) if (connection.isIdle) connection.cut();
  }

  cutAll(): void {
    for (const connection of this.#connections) connection.cut();
  }

  #makeHead(status: number, headers: readonly string[]): string {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${oneLine(headers[i + 1]!)}\r\n`;
    head += `Date: ${new Date().toUTCString()}\r\n`;
    if (!headers.includes('connection')) head += this.#keepAlive;
    return `${head}content-length: `;
  }
}

/** A line break would begin another header, or another reply. */
function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ');
}
