import type { ServerResponse } from 'node:http';
import type { Dispatcher } from '../upstream/index.ts';
import { ArrayTail } from './arrayTail.ts';
import { headersToClient } from './passedHeaders.ts';
import { CODES, errorText } from './refusals.ts';

export interface ExchangeParts {
  readonly response: ServerResponse;
  /** Answers to calls of the same batch that are not the node's, in JSON with commas between. */
  readonly answers?: string | undefined;
  /** Whether the client should connect elsewhere for its next request. */
  readonly closes: () => boolean;
  /** Told once, when nothing more will come, with the status the client got; 0 when it was cut. */
  readonly ended: (status: number) => void;
}

type Controller = Dispatcher.DispatchController;
const TIMEOUTS: ReadonlySet<string | undefined> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** One request under way to the node: its answer goes to the client as it comes, no faster than it is taken. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  #controller: Controller | undefined;
  #tail: ArrayTail | undefined;
  #status = 0;
  #isOver = false;
  readonly #onClose = (): void => this.#clientGone();

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    parts.response.once('close', this.#onClose);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new RangeError('the client is gone'));
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200 || this.#isOver) return;
    this.#status = status;
    const { answers, response, closes } = this.#parts;
    if (answers !== undefined && status === 200) {
      this.#tail = new ArrayTail(answers);
      const { 'content-length': _length, ...others } = headers;
      response.writeHead(status, headersToClient(others, closes()));
    } else response.writeHead(status, headersToClient(headers, closes()));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response } = this.#parts;
    if (this.#isOver || response.write(this.#tail?.push(chunk) ?? chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#parts.response.end(this.#tail?.end());
    this.#end(this.#status);
  }

  onResponseError(_controller: Controller, error: Error & { code?: string }): void {
    if (this.#isOver) return;
    const { response } = this.#parts;
    if (response.headersSent) {
      response.destroy();
      this.#end(0);
      return;
    }
    const status = TIMEOUTS.has(error.code) ? 504 : 502;
    const message = status === 504 ? 'the node did not answer in time' : 'the node cannot be reached';
    const text = errorText(null, CODES.internal, [message]);
    response
      .writeHead(status, [
        'content-type',
        'application/json',
        'content-length',
        String(Buffer.byteLength(text)),
        ...(status === 502 ? ['retry-after', '1'] : []),
        ...(this.#parts.closes() ? ['connection', 'close'] : []),
      ])
      .end(text);
    this.#end(status);
  }

  #clientGone(): void {
    if (this.#isOver) return;
    this.#end(0);
    this.#controller?.abort(new RangeError('the client is gone'));
  }

  #end(status: number): void {
    this.#isOver = true;
    this.#parts.response.removeListener('close', this.#onClose);
    this.#parts.ended(status);
  }
}
