import type { IncomingHttpHeaders } from 'node:http';
import { type HttpHandler, type HttpReply, type HttpRequest, refusal } from './httpExchange.ts';
import { type Outlet, type ReplyOptions, sendReply } from './httpReply.ts';

/** What a request says before its body. */
export interface AskedHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
}

/** A request, and who answers it. */
export interface Admitted<Head extends AskedHead = AskedHead> {
  readonly head: Head;
  readonly handler: HttpHandler;
}

/** The peer's side of an exchange: a connection of the lane, or a response of node:http. */
export interface PeerSide extends Outlet {
  readonly remoteAddress: string;
  readonly replies: ReplyOptions;
  /** Gives back so many bytes of a body. */
  release(bytes: number): void;
  /** Ends the exchange when the peer goes; called once, and only where a handler wants to know. */
  watch(exchange: Exchange): void;
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** One request that is there as a whole, and its reply, whichever way it came. */
export class Exchange implements HttpRequest {
  readonly body: Buffer;
  readonly params: Readonly<Record<string, string>>;
  readonly #side: PeerSide;
  readonly #admitted: Admitted;
  #onClose: (() => void)[] | undefined;
  #hasEnded = false;

  constructor(side: PeerSide, admitted: Admitted, body: Buffer, params = NO_PARAMS) {
    this.#side = side;
    this.#admitted = admitted;
    this.body = body;
    this.params = params;
  }

  get method(): string {
    return this.#admitted.head.method ?? 'GET';
  }

  get url(): string {
    return this.#admitted.head.url ?? '/';
  }

  get headers(): IncomingHttpHeaders {
    return this.#admitted.head.headers;
  }

  get remoteAddress(): string {
    return this.#side.remoteAddress;
  }

  onClose(listener: () => void): void {
    if (this.#hasEnded) {
      queueMicrotask(this.#side.replies.boundary.guard(listener));
      return;
    }
    if (!this.#onClose) this.#side.watch(this);
    this.#onClose ??= [];
    this.#onClose.push(listener);
  }

  /** `undefined` when it is answered by now; else what resolves once it is, and rejects where nothing can be sent. */
  answer(): Promise<void> | undefined {
    let reply: HttpReply | Promise<HttpReply>;
    try {
      reply = this.#admitted.handler(this);
    } catch (error) {
      reply = this.#crashed(error);
    }
    const sending = reply instanceof Promise ? this.#sendLater(reply) : this.#send(reply);
    if (sending) return sending.then(() => this.end());
    this.end();
    return undefined;
  }

  /** Answered, or the peer is gone. */
  end(): void {
    this.#hasEnded = true;
    const listeners = this.#onClose;
    this.#onClose = undefined;
    for (const listener of listeners ?? []) this.#side.replies.boundary.guard(listener)();
  }

  async #sendLater(reply: Promise<HttpReply>): Promise<void> {
    await this.#send(await reply.catch((error: unknown) => this.#crashed(error)));
  }

  /** The handler is done with the body, whether or not its peer is still there. */
  #send(reply: HttpReply): Promise<void> | undefined {
    this.#side.release(this.body.length);
    return sendReply(this.#side.replies, this.headers, this.#side, reply);
  }

  #crashed(error: unknown): HttpReply {
    this.#side.replies.boundary.report(error, { url: this.url });
    return refusal(500, 'internal error');
  }
}
