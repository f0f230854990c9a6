import type { Socket } from 'node:net';
import { type Admitted, Exchange, type PeerSide } from '../exchange.ts';
import { isPart, type ReplyBody, type ReplyOptions } from '../httpReply.ts';
import type { RequestHead } from './requestHead.ts';

/** What connections ask of the lane that they are on. */
export interface Lane {
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly replies: ReplyOptions;
  readonly isClosing: boolean;
  /** The request that begins there, whose body is then held; `undefined` for what is node:http's. */
  admit(chunk: Buffer, start: number, remoteAddress: string): Admitted<RequestHead> | undefined;
  /** See `ConnectionShares`. */
  watch(socket: Socket, isAnswering: () => boolean): () => void;
  /** Gives back so many bytes of a body. */
  release(bytes: number): void;
  /** The head of a reply up to its length. */
  headOf(status: number, headers: readonly string[]): string;
  forget(connection: LaneConnection): void;
  /** Gives the connection to node:http, with what came over it and is not answered. */
  handOver(socket: Socket, rest: Buffer): void;
}

/** A connection while all that comes over it is plain: whole requests, one after another. */
export class LaneConnection implements PeerSide {
  readonly remoteAddress: string;
  readonly #lane: Lane;
  readonly #socket: Socket;
  /** Answered by a promise, and still waiting for it. */
  #underWay: Exchange | undefined;
  /** What came while nothing could be done with it. */
  #early: Buffer[] = [];
  #hasServed = false;
  readonly #unwatch: () => void;

  constructor(lane: Lane, socket: Socket) {
    this.#lane = lane;
    this.#socket = socket;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#unwatch = lane.watch(socket, () => !this.isIdle || socket.writableLength > 0);
    socket.setTimeout(lane.headersTimeoutMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
    socket.on('error', this.#onError).on('timeout', this.#onTimeout);
  }

  get replies(): ReplyOptions {
    return this.#lane.replies;
  }

  release(bytes: number): void {
    this.#lane.release(bytes);
  }

  /** The exchange that is under way ends with the connection in any case. */
  watch(): void {}

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
  #settle(exchange: Exchange): void {
    if (this.#underWay !== exchange) return;
    this.#underWay = undefined;
    this.#goOn();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      if (this.#underWay || this.#socket.writableNeedDrain || this.#early.length > 0) this.#keep(chunk);
      else this.#read(chunk);
    } catch (error) {
      this.#crash(error);
    }
  };

  /** A defect: what else came over the connection cannot be told apart any more. */
  #crash(error: unknown): void {
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

  #answer(admitted: Admitted<RequestHead>, body: Buffer): void {
    if (!this.#hasServed) {
      this.#hasServed = true;
      this.#socket.setTimeout(this.#lane.keepAliveTimeoutMs);
    }
    const exchange = new Exchange(this, admitted, body);
    const answered = exchange.answer();
    if (!answered) return;
    this.#underWay = exchange;
    answered.then(() => this.#settle(exchange)).catch((error: unknown) => this.#crash(error));
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
      this.#crash(error);
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
    this.#unwatch();
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
