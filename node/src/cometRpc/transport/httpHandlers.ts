import {
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  type HttpRoute,
  isSameOrigin,
} from '@chain/platform/servers';
import type { Caller } from '../cometMethod.ts';
import {
  type CometDispatcher,
  type Outcome,
  paramsFromJson,
  paramsFromUri,
  RPC_ERRORS,
  type RpcError,
  responseText,
} from '../dispatch.ts';
import { endpointsPage } from './endpointsPage.ts';
import { type RpcRequest, readBody, UnreadableRequest } from './requestBody.ts';

/** The id of answers to URI calls, which have none. */
const URI_CALL_ID = -1;
const CACHEABLE = { 'cache-control': 'public, max-age=86400' };
const JSON_FORM = { params: 'json', overWebSocket: false } as const;
const URI_FORM = { params: 'http', overWebSocket: false } as const;

/** JSON-RPC in a POST to `/`; an empty body is answered with the list of endpoints, as a browser's GET is. */
export function postHandler(
  dispatcher: CometDispatcher,
  { maxBatch, corsOrigins }: { readonly maxBatch: number; readonly corsOrigins: readonly string[] },
): HttpHandler {
  return (request) => {
    if (isDodgedPreflight(request.headers, corsOrigins)) return wrongType();
    if (request.body.length === 0) return endpointsPage(dispatcher.methods, request.headers.host);
    let body: RpcRequest | RpcRequest[];
    try {
      body = readBody(request.body);
    } catch (error) {
      if (error instanceof UnreadableRequest) return failure(500, undefined, RPC_ERRORS.parse(error.message));
      throw error;
    }
    if (!Array.isArray(body)) return answerAll(dispatcher, [body], callerOf(request));
    if (maxBatch > 0 && body.length > maxBatch) {
      const text = `batch request exceeds maximum (${maxBatch}) allowed number of requests`;
      return failure(200, undefined, RPC_ERRORS.invalidRequest(text));
    }
    return answerAll(dispatcher, body, callerOf(request));
  };
}

/** `/<method>?name=value`, one route for all methods, and the page of endpoints. */
export function uriRoutes(dispatcher: CometDispatcher): HttpRoute[] {
  const call: HttpHandler = (request) => answerUri(dispatcher, request);
  const missing: HttpHandler = () => notFound();
  const page: HttpHandler = ({ headers }) => endpointsPage(dispatcher.methods, headers.host);
  return [
    { method: 'GET', path: '/', handler: page },
    ...(['GET', 'POST'] as const).flatMap((method) => [
      { method, path: '/:method', handler: call },
      { method, path: '/*', handler: missing },
    ]),
  ];
}

async function answerAll(
  dispatcher: CometDispatcher,
  requests: readonly RpcRequest[],
  caller: Caller,
): Promise<HttpReply> {
  const texts: string[] = [];
  let isCacheable = true;
  for (const { id, method: name, params } of requests) {
    if (id === undefined) continue;
    const method = dispatcher.methods.get(name);
    const outcome: Outcome =
      method && !method.webSocketOnly
        ? await dispatcher.call(method, () => paramsFromJson(method, params), { id, caller, form: JSON_FORM })
        : { error: RPC_ERRORS.methodNotFound, cacheable: false };
    isCacheable &&= outcome.cacheable;
    texts.push(responseText(id, outcome));
  }
  if (texts.length === 0) return { body: '' };
  const body = texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`;
  return { body, ...(isCacheable && { headers: CACHEABLE }) };
}

async function answerUri(dispatcher: CometDispatcher, request: HttpRequest): Promise<HttpReply> {
  const method = dispatcher.methods.get(request.params.method ?? '');
  if (!method) return notFound();
  if (method.webSocketOnly) return failure(404, URI_CALL_ID, RPC_ERRORS.methodNotFound);
  const question = request.url.indexOf('?');
  const query = new URLSearchParams(question === -1 ? '' : request.url.slice(question + 1));
  // A form's fields count as well.
  if (request.body.length > 0) {
    for (const [name, value] of new URLSearchParams(request.body.toString('utf8'))) query.append(name, value);
  }
  const scope = { id: URI_CALL_ID, caller: callerOf(request), form: URI_FORM };
  const outcome = await dispatcher.call(method, () => paramsFromUri(method, query), scope);
  if (outcome.error) return failure(500, URI_CALL_ID, outcome.error);
  return { body: responseText(URI_CALL_ID, outcome), ...(outcome.cacheable && { headers: CACHEABLE }) };
}

function callerOf(request: HttpRequest): Caller {
  return { onGone: (listener) => request.onClose(listener) };
}

function failure(status: number, id: number | undefined, error: RpcError): HttpReply {
  return { status, body: responseText(id, { error }) };
}

const JSON_TYPES = /^application\/(json|json-rpc|jsonrequest)\s*(;|$)/i;

/**
 * A page of another origin, which names itself, may send text or forms without asking first; JSON it may not. CometBFT
 * itself looks at no content type.
 */
function isDodgedPreflight(
  { origin, host, 'content-type': type = '' }: HttpRequest['headers'],
  corsOrigins: readonly string[],
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return false;
  return !JSON_TYPES.test(type) && !isSameOrigin(origin, host);
}

function wrongType(): HttpReply {
  return {
    status: 415,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: 'invalid content type, pages send application/json\n',
  };
}

function notFound(): HttpReply {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '404 page not found\n',
  };
}
