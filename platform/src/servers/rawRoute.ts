import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { DirectMessage } from './directMessage.ts';
import { type HttpHandler, type HttpReply, type HttpRequest, refusal } from './httpExchange.ts';
import { isPart, type Outlet, type ReplyBody, type ReplyOptions, sendReply } from './httpReply.ts';
import type { BodyReader } from './requestBody.ts';

export interface RawRouteOptions extends ReplyOptions {
  readonly handler: HttpHandler;
  /** See HttpServerOptions. */
  readonly retryAfterMs: (remoteAddress: string) => number;
}

export const NO_PARAMS: Readonly<Record<string, string>> = {};

/** A route beside the framework: no routing, no hooks, one write. Takes what the lane before it leaves. */
export function createRawRoute(
  options: RawRouteOptions,
  bodies: BodyReader,
): (message: DirectMessage, response: ServerResponse) => void {
  return (message, response) => {
    const waitMs = options.retryAfterMs(message.socket.remoteAddress ?? '');
    if (waitMs > 0) {
      refuse(options, message, response, refusal(429, 'too many requests', Math.ceil(waitMs / 1000)));
      return;
    }
    const answer = (body: Buffer | HttpReply): void => {
      if (Buffer.isBuffer(body)) new Exchange({ options, bodies, message, response }, body).answer();
      else refuse(options, message, response, body);
    };
    bodies.read(
      message,
      options.boundary.guard(answer, () => response.destroy()),
    );
  };
}

/** Answers a request that is not read any further. */
export function refuse(
  options: ReplyOptions,
  message: DirectMessage,
  response: ServerResponse,
  reply: HttpReply,
): void {
  // The rest of the body is not wanted: the connection cannot carry another request.
  response.setHeader('connection', 'close');
  sendReply(options, message.headers, new ResponseOutlet(response, options.stallTimeoutMs), reply);
  message.discard();
}

interface ExchangeParts {
  readonly options: RawRouteOptions;
  readonly bodies: BodyReader;
  readonly message: DirectMessage;
  readonly response: ServerResponse;
}

/** A request that is there as a whole. */
class Exchange implements HttpRequest {
  readonly body: Buffer;
  readonly #parts: ExchangeParts;
  #isReleased = false;

  constructor(parts: ExchangeParts, body: Buffer) {
    this.#parts = parts;
    this.body = body;
  }

  get method(): string {
    return this.#parts.message.method ?? 'GET';
  }

  get url(): string {
    return this.#parts.message.url ?? '/';
  }

  get headers(): IncomingHttpHeaders {
    return this.#parts.message.headers;
  }

  get remoteAddress(): string {
    return this.#parts.message.socket.remoteAddress ?? '';
  }

  get params(): Readonly<Record<string, string>> {
    return NO_PARAMS;
  }

  onClose(listener: () => void): void {
    const { options, response } = this.#parts;
    response.once('close', options.boundary.guard(listener));
  }

  answer(): void {
    try {
      const reply = this.#parts.options.handler(this);
      if (!(reply instanceof Promise)) this.#finish(reply);
      else reply.then((it) => this.#finish(it)).catch(this.#crash);
    } catch (error) {
      this.#crash(error);
    }
  }

  #finish(reply: HttpReply): void {
    const { options, message, response } = this.#parts;
    this.#release();
    sendReply(options, message.headers, new ResponseOutlet(response, options.stallTimeoutMs), reply);
  }

  readonly #crash = (error: unknown): void => {
    const { options, message, response } = this.#parts;
    options.boundary.report(error, { url: message.url });
    // What it would have sent may be what failed.
    const answer = (): void => this.#finish(refusal(500, 'internal error'));
    options.boundary.guard(answer, () => response.destroy())();
  };

  /** The handler is done with the body, whether or not its peer is still there. */
  #release(): void {
    if (!this.#isReleased) this.#parts.bodies.release(this.body.length);
    this.#isReleased = true;
  }
}

class ResponseOutlet implements Outlet {
  readonly #response: ServerResponse;
  readonly #stallTimeoutMs: number;

  constructor(response: ServerResponse, stallTimeoutMs: number) {
    this.#response = response;
    this.#stallTimeoutMs = stallTimeoutMs;
  }

  get isOpen(): boolean {
    return !this.#response.headersSent && !this.#response.destroyed;
  }

  send(status: number, headers: readonly string[], body: ReplyBody, length: number): void {
    const response = this.#response;
    // Node sets its own again once all of it is written.
    response.socket?.setTimeout(this.#stallTimeoutMs);
    response.writeHead(status, [...headers, 'content-length', String(length)]);
    if (isPart(body)) {
      // As many bytes as characters: all ASCII, and Node writes that with the headers in one cheap copy.
      response.end(body, length === body.length ? 'latin1' : 'utf8');
      return;
    }
    response.cork();
    for (const part of body) response.write(part);
    response.end();
  }

  cut(): void {
    this.#response.destroy();
  }
}
