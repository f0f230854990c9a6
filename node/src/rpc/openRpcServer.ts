import {
  type HttpHandler,
  type HttpLimits,
  type HttpReply,
  type HttpRequest,
  type HttpRoute,
  type HttpServer,
  openHttpServer,
} from '@chain/platform';
import { BlockJson } from './blocks/blockJson.ts';
import { Dispatcher, type DispatchLimits } from './dispatch/dispatcher.ts';
import { rpcMetrics } from './dispatch/rpcMetrics.ts';
import { FilterTable } from './filters/filterTable.ts';
import { Jobs } from './jobs/jobs.ts';
import { LegacyGate } from './legacy/legacyGate.ts';
import { METHODS } from './methods.ts';
import type { MethodLimits, RpcRoomDeps } from './rpcDeps.ts';
import type { Caller } from './rpcMethod.ts';

export interface RpcServerOptions {
  readonly address: string;
  readonly port: number;
  /** Origins whose pages may read answers; `*` for any, none switches CORS off. */
  readonly corsOrigins: readonly string[];
  /** Legacy methods that are available (service.md, Legacy methods). */
  readonly legacyMethods: readonly string[];
  readonly filterTimeoutMs: number;
  readonly http: Partial<HttpLimits>;
  readonly dispatch: DispatchLimits;
  readonly methods: MethodLimits;
}

const FILTERS_MAX = 10_000;
const BLOCK_JSON_BYTES_MAX = 16 << 20;
const JSON_TYPE = 'application/json';
const JSON_TYPES = /^application\/(json|json-rpc|jsonrequest)\s*(;|$)/i;

/** Serves JSON-RPC over HTTP: POST to `/`. Throws HTTP_CANNOT_LISTEN. */
export function openRpcServer(options: RpcServerOptions, roomDeps: RpcRoomDeps): Promise<HttpServer> {
  const { clock, logger, metrics, execution, pool, ...rest } = roomDeps;
  const deps = {
    ...rest,
    limits: options.methods,
    jobs: new Jobs({ chain: rest.chain, stateStore: rest.stateStore, execution, pool }),
    filters: new FilterTable({ timeoutMs: options.filterTimeoutMs, filtersMax: FILTERS_MAX }, { clock }),
    blockJson: new BlockJson({ bytesMax: BLOCK_JSON_BYTES_MAX }),
  };
  const gate = new LegacyGate(options.legacyMethods);
  const dispatcher = new Dispatcher(options.dispatch, {
    methods: METHODS,
    gate,
    deps,
    metrics: rpcMetrics(metrics),
    logger,
  });
  const { address, port, corsOrigins, http } = options;
  const routes: HttpRoute[] = [
    { method: 'GET', path: '/', handler: () => ({ body: '' }) },
    ...(['PUT', 'DELETE'] as const).map((method) => ({ method, path: '/', handler: notAllowed })),
  ];
  return openHttpServer(
    { address, port, corsOrigins, limits: http, routes, post: postHandler(dispatcher) },
    { logger },
  );
}

function postHandler(dispatcher: Dispatcher): HttpHandler {
  return (request) => {
    const {
      headers: { 'content-type': type },
      body,
    } = request;
    if (type !== JSON_TYPE && !JSON_TYPES.test(type ?? '')) {
      return plainText(415, 'invalid content type, only application/json is supported');
    }
    const call = new HttpCall(request);
    const answer = dispatcher.answer(body, call);
    return typeof answer === 'string' ? call.reply(answer) : answer.then((text) => call.reply(text));
  };
}

/** Collects what the calls of one body say in headers; most say nothing. */
class HttpCall implements Caller {
  readonly #request: HttpRequest;
  #headers: Record<string, string> | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  onGone(listener: () => void): void {
    this.#request.onClose(listener);
  }

  setHeader(name: string, value: string): void {
    this.#headers ??= {};
    this.#headers[name] = value;
  }

  reply(body: string): HttpReply {
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
