import type { IncomingHttpHeaders } from 'node:http';
import type { Access } from './access/openAccess.ts';
import { ANY_HOST, HostCheck, unknownHost } from './hostCheck.ts';
import { type HttpReply, refusal } from './httpExchange.ts';

export interface RequestGateOptions {
  /** See HttpServerOptions. */
  readonly vhosts?: readonly string[] | undefined;
  readonly access?: Access | undefined;
  readonly openPaths?: readonly string[] | undefined;
}

interface GatedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What a request must show before anything else of it is looked at: the host that it names, and who sends it. */
export class RequestGate {
  readonly #hosts: HostCheck;
  readonly #admits: Access['admits'];
  readonly #openPaths: ReadonlySet<string | undefined>;

  constructor({ vhosts = ANY_HOST, access, openPaths = [] }: RequestGateOptions) {
    this.#hosts = new HostCheck(vhosts);
    this.#admits = access?.admits;
    this.#openPaths = new Set(openPaths);
  }

  /** 403 or 401; `undefined` lets it in. A preflight has no credentials by its nature. */
  refuses({ method, url, headers: { host, authorization } }: GatedRequest): HttpReply | undefined {
    if (!this.#hosts.allows(host)) return unknownHost();
    if (this.#admits === undefined || method === 'OPTIONS' || this.#admits(authorization)) return undefined;
    if (this.#openPaths.has(url)) return undefined;
    const { headers, ...reply } = refusal(401, 'a token is wanted: send "Authorization: Bearer <token>"');
    return { ...reply, headers: { ...headers, 'www-authenticate': 'Bearer' } };
  }
}
