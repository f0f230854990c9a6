import type { IncomingHttpHeaders } from 'node:http';
import { ANY_HOST, HostCheck, unknownHost } from './hostCheck.ts';
import { type HttpReply, refusal } from './httpExchange.ts';

export interface RequestGateOptions {
  /** See HttpServerOptions. */
  readonly vhosts?: readonly string[] | undefined;
  /** See HttpServerOptions. */
  readonly admits?: ((authorization: string | undefined) => boolean) | undefined;
}

/** What a request must show before anything else of it is looked at: the host that it names, and who sends it. */
export class RequestGate {
  readonly #hosts: HostCheck;
  readonly #admits: RequestGateOptions['admits'];

  constructor({ vhosts = ANY_HOST, admits }: RequestGateOptions) {
    this.#hosts = new HostCheck(vhosts);
    this.#admits = admits;
  }

  /** 403 or 401; `undefined` lets it in. A preflight has no credentials by its nature. */
  refuses(method: string | undefined, { host, authorization }: IncomingHttpHeaders): HttpReply | undefined {
    if (!this.#hosts.allows(host)) return unknownHost();
    if (this.#admits === undefined || method === 'OPTIONS' || this.#admits(authorization)) return undefined;
    const { headers, ...reply } = refusal(401, 'a token is wanted: send "Authorization: Bearer <token>"');
    return { ...reply, headers: { ...headers, 'www-authenticate': 'Bearer' } };
  }
}
