import type { Socket } from 'node:net';
import { type Logger, messageOf } from '@chain/platform';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import { appendAll } from '../../../primitives/index.ts';
import type { AbciHandlers } from './abciHandlers.ts';
import { dispatch, kindOf } from './dispatch.ts';
import { FrameReader, frame } from './frames.ts';

export interface ConnectionDeps {
  readonly handlers: AbciHandlers;
  readonly logger: Logger;
  /** Told of each answer: the kind of the request and how long it took. */
  readonly observe: (kind: string, seconds: number) => void;
  /** A handler has thrown: CometBFT gets an exception, upon which it stops. */
  readonly onFailure: (kind: string, error: unknown) => void;
}

/** Requests that may wait before the socket is read no further. */
const MAX_WAITING = 4096;

/**
 * One of CometBFT's four connections. Requests are answered one after another, in their order; answers are held
 * until a Flush, or until nothing waits.
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
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      const { kind, response } = await this.#answer(message);
      this.#answers.push(frame(Response.encode(response).finish()));
      if (kind === 'flush') this.#flush();
      if (this.#socket.isPaused() && this.#waiting.length < MAX_WAITING / 2) this.#socket.resume();
    }
    this.#flush();
    this.#busy = false;
  }

  async #answer(message: Uint8Array): Promise<{ kind: string; response: Response }> {
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
