import type { Socket } from 'node:net';
import { type Logger, messageOf } from '@chain/platform';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import { appendAll } from '../../../primitives/index.ts';
import type { AbciHandlers } from './abciHandlers.ts';
import { dispatch, isCheckTx, kindOf } from './dispatch.ts';
import { FrameReader, frame } from './frames.ts';

export interface ConnectionDeps {
  readonly handlers: AbciHandlers;
  readonly logger: Logger;
  /** Told of each answer: the kind of the request and how long it took. */
  readonly observe: (kind: string, seconds: number) => void;
  /** A handler has thrown: CometBFT gets an exception, upon which it stops. */
  readonly onFailure: (kind: string, error: unknown) => void;
}

interface Answered {
  readonly kind: string;
  readonly response: Response;
}

/** Requests that may wait before the socket is read no further. */
const MAX_WAITING = 4096;
/** Transactions of the mempool connection whose checks may be under way at a time. */
const CHECKS_AT_ONCE = 64;

/**
 * One of CometBFT's four connections. Requests are answered one after another, in their order, but for neighbouring
 * CheckTx, which begin in their order and whose handler keeps it; answers are held until a Flush, or until nothing
 * waits.
 */
export class AbciConnection {
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #reader = new FrameReader();
  readonly #waiting: Uint8Array[] = [];
  #answers: Uint8Array[] = [];
  #working = Promise.resolve();
  #busy = false;

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    socket.setNoDelay(true);
    socket.on('data', (piece: Uint8Array) => this.#take(piece));
    socket.on('error', (error) => deps.logger.debug('ABCI connection failed', { error }));
  }

  /** Reads no more, waits for the request in progress, and hangs up. */
  async close(): Promise<void> {
    this.#socket.pause();
    this.#waiting.length = 0;
    await this.#working;
    this.#socket.destroy();
  }

  #take(piece: Uint8Array): void {
    try {
      appendAll(this.#waiting, this.#reader.push(piece));
    } catch (error) {
      this.#deps.logger.error('ABCI connection is closed', { error });
      this.#socket.destroy();
      return;
    }
    if (this.#waiting.length > MAX_WAITING) this.#socket.pause();
    if (!this.#busy && this.#waiting.length > 0)
      this.#working = this.#answerAll().catch((error: unknown) => this.#broken(error));
  }

  /** An answer that could not be made or sent: CometBFT must not wait for it. */
  #broken(error: unknown): void {
    this.#deps.onFailure('answer', error);
    this.#socket.destroy();
  }

  async #answerAll(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      for (const answer of this.#begin()) {
        const { kind, response } = await answer;
        this.#answers.push(frame(Response.encode(response).finish()));
        if (kind === 'flush') this.#flush();
      }
      if (this.#socket.isPaused() && this.#waiting.length < MAX_WAITING / 2) this.#socket.resume();
    }
    this.#flush();
    this.#busy = false;
  }

  /** Begins with the next request, and with those behind it as far as they may be under way together. */
  #begin(): Promise<Answered>[] {
    const other = this.#waiting.findIndex((message, i) => i === CHECKS_AT_ONCE || !isCheckTx(message));
    const checks = other < 0 ? this.#waiting.length : other;
    return this.#waiting.splice(0, Math.max(1, checks)).map((message) => this.#answer(message));
  }

  async #answer(message: Uint8Array): Promise<Answered> {
    const started = performance.now();
    let kind: keyof Request | undefined;
    try {
      const request = Request.decode(message);
      kind = kindOf(request);
      const answer = dispatch(kind, request, this.#deps.handlers);
      const response = answer instanceof Promise ? await answer : answer;
      this.#deps.observe(kind!, (performance.now() - started) / 1000);
      return { kind: kind!, response };
    } catch (error) {
      this.#deps.onFailure(kind ?? 'unknown', error);
      return { kind: 'exception', response: { exception: { error: messageOf(error) } } };
    }
  }

  #flush(): void {
    if (this.#answers.length === 0 || this.#socket.destroyed) return;
    const answers = this.#answers;
    this.#answers = [];
    this.#socket.write(answers.length === 1 ? answers[0]! : Buffer.concat(answers));
  }
}
