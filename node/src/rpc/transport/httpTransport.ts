import { clientOf, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import {
  type Access,
  type HttpHandler,
  type HttpLimits,
  type HttpReply,
  type HttpRequest,
  type HttpRoute,
  type HttpServer,
  openHttpServer,
} from '@chain/platform/servers';
import type { ClientRates } from '../dispatch/clientRates.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Answer } from '../dispatch/largeAnswer.ts';
import type { Caller } from '../rpcMethod.ts';

export interface HttpTransportOptions {
  readonly port: number;
  /** Origins whose pages may read answers; `*` for any, none switches CORS off. */
  readonly corsOrigins: readonly string[];
  /** Hosts that requests may name beside addresses; `*` for any. */
  readonly vhosts: readonly string[];
  /** Namespaces whose methods it serves. */
  readonly apis: readonly string[];
  readonly limits: Partial<HttpLimits>;
}

interface HttpTransportDeps {
  readonly dispatcher: Dispatcher;
  /** With `GET /` among them; without pages it is answered with nothing, for health checks. */
  readonly pages?: readonly HttpRoute[] | undefined;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry | undefined;
  readonly rates?: ClientRates | undefined;
  /** Clients are asked to go from then on. */
  readonly draining?: AbortSignal | undefined;
}

const JSON_TYPE = 'application/json';
const JSON_TYPES = /^application\/(json|json-rpc|jsonrequest)\s*(;|$)/i;

/** JSON-RPC over HTTP: POST to `/`. Throws HTTP_CANNOT_LISTEN. */
export function openHttpTransport(
  options: HttpTransportOptions & { readonly address: string; readonly access?: Access | undefined },
  { dispatcher, pages, logger, metrics, rates, draining }: HttpTransportDeps,
): Promise<HttpServer> {
  const { address, access, port, corsOrigins, vhosts, limits } = options;
  const routes: HttpRoute[] = [
    ...(pages ?? [{ method: 'GET', path: '/', handler: () => ({ body: '' }) } as const]),
    ...(['PUT', 'DELETE'] as const).map((method) => ({ method, path: '/', handler: notAllowed })),
  ];
  return openHttpServer(
    {
      ...{ address, access, port, corsOrigins, vhosts, limits, routes },
      post: postHandler(dispatcher),
      ...(rates && { retryAfterMs: (address) => rates.waitMs(clientOf(address)) }),
    },
    { logger, metrics, draining },
  );
}

function postHandler(dispatcher: Dispatcher): HttpHandler {
  return (request) => {
    const type = request.headers['content-type'];
    if (type !== JSON_TYPE && !JSON_TYPES.test(type ?? '')) {
      return plainText(415, 'invalid content type, only application/json is supported');
    }
    const call = new HttpCall(request);
    const answer = dispatcher.answer(request.body, call);
    return answer instanceof Promise ? answer.then((it) => call.reply(it)) : call.reply(answer);
  };
}

/** Collects what the calls of one body say in headers; most say nothing. */
class HttpCall implements Caller {
  readonly #request: HttpRequest;
  #headers: Record<string, string> | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  get client(): string {
    return clientOf(this.#request.remoteAddress);
  }

  onGone(listener: () => void): void {
    this.#request.onClose(listener);
  }

  setHeader(name: string, value: string): void {
    this.#headers ??= {};
    this.#headers[name] = value;
  }

  reply(answer: Answer): HttpReply {
    const body = typeof answer === 'string' ? answer : answer.parts;
    if (!this.#headers) return { body };
    // Without this a browser hides them from the page.
    const exposed = { 'access-control-expose-headers': Object.keys(this.#headers).join(', ') };
    return { body, headers: { ...this.#headers, ...exposed } };
  }
}

function notAllowed(): HttpReply {
  return plainText(405, 'method not allowed');
}

function plainText(status: number, body: string): HttpReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
