import type { RawData, WebSocket } from 'ws';
import type { CrashBoundary } from '../../crashBoundary.ts';
import type { WebSocketLimits } from './webSocketLimits.ts';

/** The other end of one connection. */
export interface WebSocketPeer {
  /** The peer's IP address; behind a proxy that is the proxy's. */
  readonly remoteAddress: string;
  /** Bytes that wait for the peer to read. */
  readonly bufferedBytes: number;
  /** Sends what the peer asked for; parts are one message, and bytes among them UTF-8. */
  send(text: string | readonly (string | Uint8Array)[]): void;
  /** Sends what happened; a peer that leaves too much of it unread is dropped. */
  push(text: string): void;
  close(code: number, reason: string): void;
}

/** What the server's user keeps for a peer. */
export interface WebSocketSession {
  /** One message. While promises of `maxConcurrentMessages` are open the peer is not read from. */
  message(body: Buffer): void | Promise<void>;
  /** Whether the peer waits for nothing: an idle one is closed after a time. */
  isIdle(): boolean;
  /** The connection is gone; called once. */
  closed(code: number, reason: string): void;
}

export const CLOSE = { goingAway: 1001, internalError: 1011, tryAgainLater: 1013 } as const;

/** One connection: flow control in both directions, liveness, and its end. */
export class WebSocketConnection implements WebSocketPeer {
  readonly remoteAddress: string;
  readonly #socket: WebSocket;
  readonly #limits: WebSocketLimits;
  readonly #boundary: CrashBoundary;
  #session: WebSocketSession | undefined;
  /** Messages that one read brought along although no more are worked on. */
  readonly #waiting: Buffer[] = [];
  #running = 0;
  #pushedBytes = 0;
  #paused = false;
  #heardAt = performance.now();
  #usedAt = performance.now();
  #pingedAt: number | undefined;
  /** What the server closed it for; the peer may never say it back. */
  #ending: { readonly code: number; readonly reason: string } | undefined;

  constructor(
    options: { readonly remoteAddress: string; readonly limits: WebSocketLimits },
    deps: { readonly socket: WebSocket; readonly boundary: CrashBoundary },
  ) {
    this.remoteAddress = options.remoteAddress;
    this.#limits = options.limits;
    this.#socket = deps.socket;
    this.#boundary = deps.boundary;
  }

  /** Starts to read. */
  start(session: WebSocketSession): void {
    this.#session = session;
    const socket = this.#socket;
    const take = (data: RawData): void => this.#take(data as Buffer);
    const heard = this.#boundary.guard(take, () => this.#end());
    socket.on('message', heard);
    socket.on('pong', () => this.#hear());
    const pinged = (data: Buffer): void => this.#answerPing(data);
    socket.on(
      'ping',
      this.#boundary.guard(pinged, () => this.#end()),
    );
    // Its close event follows with the code, 1009 for a message that is too large.
    socket.on('error', () => {});
    const closed = (code: number, reason: Buffer): void => {
      const ended = this.#ending ?? { code, reason: reason.toString() };
      session.closed(ended.code, ended.reason);
    };
    socket.on('close', this.#boundary.guard(closed));
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Messages are worked on, or the peer has not read all that it was sent. */
  get isAnswering(): boolean {
    return this.#running > 0 || this.#socket.bufferedAmount > 0;
  }

  send(text: string | readonly (string | Uint8Array)[]): void {
    if (this.#ending) return;
    const sent = this.#workOn;
    if (typeof text === 'string') this.#socket.send(text, sent);
    else for (const [i, part] of text.entries()) this.#sendPart(part, i === text.length - 1, sent);
  }

  /** One frame of a message: large parts are not copied together. */
  #sendPart(part: string | Uint8Array, fin: boolean, sent: () => void): void {
    this.#socket.send(part, { binary: false, fin }, sent);
  }

  push(text: string): void {
    if (this.#ending) return;
    this.#usedAt = performance.now();
    this.#pushedBytes += text.length;
    if (this.#pushedBytes > this.#limits.maxBufferedPushBytes) {
      this.close(
        CLOSE.tryAgainLater,
        `slow consumer: ${this.#pushedBytes} bytes of notifications wait unread`,
      );
      return;
    }
    this.#socket.send(text, () => {
      this.#pushedBytes -= text.length;
      this.#workOn();
    });
  }

  close(code: number, reason: string): void {
    if (this.#ending) return;
    this.#ending = { code, reason };
    // A paused socket would never read the peer's close frame.
    this.#socket.resume();
    this.#socket.close(code, reason);
    // The frame waits behind all that the peer has not read.
    setTimeout(() => this.#socket.terminate(), this.#limits.closeGraceMs).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Called now and then: pings after silence, ends what is dead or idle. */
  check(now: number): void {
    const { pingIntervalMs, pongTimeoutMs, idleTimeoutMs } = this.#limits;
    if (this.#ending) return;
    if (this.#pingedAt !== undefined && now - this.#pingedAt > pongTimeoutMs) {
      this.#ending = { code: CLOSE.goingAway, reason: `no answer to a ping within ${pongTimeoutMs} ms` };
      this.#socket.terminate();
    } else if (this.#pingedAt === undefined && now - this.#heardAt > pingIntervalMs) {
      this.#pingedAt = now;
      this.#socket.ping();
    }
    const isIdle = idleTimeoutMs > 0 && this.#running === 0 && this.#session?.isIdle();
    if (isIdle && now - this.#usedAt > idleTimeoutMs) {
      this.close(CLOSE.goingAway, `idle for ${idleTimeoutMs} ms`);
    }
  }

  #take(data: Buffer): void {
    this.#hear();
    this.#usedAt = performance.now();
    this.#waiting.push(data);
    this.#work();
  }

  /** Answers wait as others do: a peer that leaves them unread is not read from. */
  #answerPing(data: Buffer): void {
    this.#hear();
    this.#socket.pong(data, false, this.#workOn);
    this.#flow();
  }

  #work(): void {
    while (!this.#ending && !this.#isFull) {
      const message = this.#waiting.shift();
      if (!message) break;
      const done = this.#session?.message(message);
      if (!done) continue;
      this.#running++;
      done
        .catch((error: unknown) => this.#fail(error))
        .then(() => this.#settle())
        .catch((error: unknown) => this.#fail(error));
    }
    this.#flow();
  }

  #settle(): void {
    this.#running--;
    this.#work();
  }

  /** Called by the socket once it has sent. */
  readonly #workOn = (): void => {
    try {
      this.#work();
    } catch (error) {
      this.#fail(error);
    }
  };

  #fail(error: unknown): void {
    this.#boundary.report(error);
    this.#end();
  }

  #end(): void {
    this.close(CLOSE.internalError, 'internal error');
  }

  #hear(): void {
    this.#heardAt = performance.now();
    this.#pingedAt = undefined;
  }

  get #isFull(): boolean {
    const { maxConcurrentMessages, maxBufferedAnswerBytes } = this.#limits;
    return this.#running >= maxConcurrentMessages || this.#socket.bufferedAmount > maxBufferedAnswerBytes;
  }

  /** Reads on, or not: what a peer does not take in must not pile up here. */
  #flow(): void {
    const isFull = this.#isFull;
    if (isFull === this.#paused || this.#ending) return;
    this.#paused = isFull;
    if (isFull) this.#socket.pause();
    else {
      // A peer that was not read from could not be heard.
      this.#hear();
      this.#socket.resume();
    }
  }
}
