import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpHandler, type HttpReply, type HttpRequest, refusal } from '../httpExchange.ts';
import { isPart, type Outlet, type ReplyBody, type ReplyOptions, sendReply } from '../httpReply.ts';
import { NO_PARAMS } from '../rawRoute.ts';
import type { RequestHead } from './requestHead.ts';

/** A request that the lane takes, and who answers it. */
export interface Admitted {
  readonly head: RequestHead;
  readonly handler: HttpHandler;
}

/** What connections ask of the lane that they are on. */
export interface Lane {
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly replies: ReplyOptions;
  readonly isClosing: boolean;
  /** The request that begins there, whose body is then held; `undefined` for what is node:http's. */
  admit(chunk: Buffer, start: number, remoteAddress: string): Admitted | undefined;
  /** Gives back so many bytes of a body. */
  release(bytes: number): void;
  /** The head of a reply up to its length. */
  headOf(status: number, headers: readonly string[]): string;
  forget(connection: LaneConnection): void;
  /** Gives the connection to node:http, with what came over it and is not answered. */
  handOver(socket: Socket, rest: Buffer): void;
}

/** A connection while all that comes over it is plain: whole requests, one after another. */
export class LaneConnection implements Outlet {
  readonly remoteAddress: string;
  readonly #lane: Lane;
  readonly #socket: Socket;
  /** Answered by a promise, and still waiting for it. */
  #underWay: LaneExchange | undefined;
  /** What came while nothing could be done with it. */
  #early: Buffer[] = [];
  #hasServed = false;

  constructor(lane: Lane, socket: Socket) {
    this.#lane = lane;
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? '';
    socket.setTimeout(lane.headersTimeoutMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
    socket.on('error', this.#onError).on('timeout', this.#onTimeout);
  }

  get isIdle(): boolean {
    return this.#underWay === undefined;
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  send(status: number, headers: readonly string[], body: ReplyBody, length: number): void {
    const socket = this.#socket;
    const head = `${this.#lane.headOf(status, headers)}${length}\r\n\r\n`;
    if (typeof body === 'string') {
      // As many bytes as characters: all ASCII, which is written with the head in one cheap copy.
      socket.write(head + body, length === body.length ? 'latin1' : 'utf8');
    } else {
      socket.cork();
      socket.write(head, 'latin1');
      for (const part of isPart(body) ? [body] : body) socket.write(part);
      socket.uncork();
    }
    if (this.#lane.isClosing) socket.end();
    if (!socket.writableNeedDrain) return;
    socket.setTimeout(this.#lane.replies.stallTimeoutMs);
    socket.once('drain', this.#onAllRead);
  }

  cut(): void {
    this.#socket.destroy();
  }

  /** The exchange has its reply; what came meanwhile is next. */
  settle(exchange: LaneExchange): void {
    if (this.#underWay !== exchange) return;
    this.#underWay = undefined;
    this.#goOn();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      if (this.#underWay || this.#socket.writableNeedDrain || this.#early.length > 0) this.#keep(chunk);
      else this.#read(chunk);
    } catch (error) {
      this.crash(error);
    }
  };

  /** A defect: what else came over the connection cannot be told apart any more. */
  crash(error: unknown): void {
    this.#lane.replies.boundary.report(error);
    this.cut();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length) {
      const admitted = this.#lane.admit(chunk, start, this.remoteAddress);
      if (!admitted) {
        this.#leave(chunk.subarray(start));
        return;
      }
      const { head } = admitted;
      const bodyStart = start + head.size;
      start = bodyStart + head.bodySize;
      this.#answer(admitted, chunk.subarray(bodyStart, start));
      if (start < chunk.length && (this.#underWay || this.#socket.writableNeedDrain)) {
        this.#keep(chunk.subarray(start));
        return;
      }
    }
  }

  #answer(admitted: Admitted, body: Buffer): void {
    if (!this.#hasServed) {
      this.#hasServed = true;
      this.#socket.setTimeout(this.#lane.keepAliveTimeoutMs);
    }
    const exchange = new LaneExchange(this, this.#lane, admitted, body);
    if (!exchange.answer()) this.#underWay = exchange;
  }

  /** Nothing more is read from the wire until this is dealt with. */
  #keep(chunk: Buffer): void {
    const isFirst = this.#early.length === 0;
    this.#early.push(chunk);
    if (!isFirst) return;
    this.#socket.pause();
    if (!this.#underWay) this.#socket.once('drain', this.#onDrain);
  }

  readonly #onAllRead = (): void => void this.#socket.setTimeout(this.#lane.keepAliveTimeoutMs);

  readonly #onDrain = (): void => {
    try {
      this.#goOn();
    } catch (error) {
      this.crash(error);
    }
  };

  #goOn(): void {
    if (this.#early.length === 0 || this.#underWay || !this.isOpen) return;
    if (this.#socket.writableNeedDrain) {
      this.#socket.once('drain', this.#onDrain);
      return;
    }
    const chunk = Buffer.concat(this.#early);
    this.#early = [];
    this.#socket.resume();
    this.#read(chunk);
  }

  /** To node:http, which from here on has the connection for itself. */
  #leave(rest: Buffer): void {
    const socket = this.#socket;
    this.#lane.forget(this);
    socket.setTimeout(0);
    socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    socket.off('error', this.#onError).off('timeout', this.#onTimeout).off('drain', this.#onDrain);
    socket.off('drain', this.#onAllRead);
    this.#lane.handOver(socket, rest);
  }

  /** As node:http does: who closes its side of the connection does not wait for an answer. */
  readonly #onEnd = (): void => void this.#socket.end();

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onTimeout = (): void => {
    if (this.isIdle) this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#lane.forget(this);
    this.#underWay?.end();
  };
}

/** One request and its reply. */
class LaneExchange implements HttpRequest {
  readonly params = NO_PARAMS;
  readonly body: Buffer;
  readonly #admitted: Admitted;
  readonly #connection: LaneConnection;
  readonly #lane: Lane;
  #onClose: (() => void)[] | undefined;
  #hasEnded = false;

  constructor(connection: LaneConnection, lane: Lane, admitted: Admitted, body: Buffer) {
    this.#connection = connection;
    this.#lane = lane;
    this.#admitted = admitted;
    this.body = body;
  }

  get method(): string {
    return this.#admitted.head.method;
  }

  get url(): string {
    return this.#admitted.head.url;
  }

  get headers(): IncomingHttpHeaders {
    return this.#admitted.head.headers;
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  onClose(listener: () => void): void {
    if (this.#hasEnded) queueMicrotask(this.#lane.replies.boundary.guard(listener));
    else {
      this.#onClose ??= [];
      this.#onClose.push(listener);
    }
  }

  /** Whether it is answered by now; else the connection hears of it. */
  answer(): boolean {
    let reply: HttpReply | Promise<HttpReply>;
    try {
      reply = this.#admitted.handler(this);
    } catch (error) {
      reply = this.#crashed(error);
    }
    const sending = reply instanceof Promise ? this.#sendLater(reply) : this.#send(reply);
    if (!sending) {
      this.end();
      return true;
    }
    sending
      .then(() => {
        this.end();
        this.#connection.settle(this);
      })
      .catch((error: unknown) => this.#connection.crash(error));
    return false;
  }

  /** Answered, or the peer is gone. */
  end(): void {
    this.#hasEnded = true;
    const listeners = this.#onClose;
    this.#onClose = undefined;
    for (const listener of listeners ?? []) this.#lane.replies.boundary.guard(listener)();
  }

  async #sendLater(reply: Promise<HttpReply>): Promise<void> {
    await this.#send(await reply.catch((error: unknown) => this.#crashed(error)));
  }

  /** The handler is done with the body, whether or not its peer is still there. */
  #send(reply: HttpReply): Promise<void> | undefined {
    this.#lane.release(this.body.length);
    return sendReply(this.#lane.replies, this.headers, this.#connection, reply);
  }

  #crashed(error: unknown): HttpReply {
    this.#lane.replies.boundary.report(error, { url: this.url });
    return refusal(500, 'internal error');
  }
}
