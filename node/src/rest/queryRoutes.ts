import { CrashBoundary } from '@chain/platform';
import type { HttpHandler, HttpReply, HttpRequest, HttpRoute } from '@chain/platform/servers';
import { HEIGHT_HEADER, parseHeight, queryStatus } from '../ledgerQuery/index.ts';
import type { HttpRule, ProtoMethod } from '../proto/index.ts';
import { AnswersOfHeight, followsFromState } from './answersOfHeight.ts';
import { gatewayError } from './gatewayError.ts';
import { pathPattern } from './pathPattern.ts';
import { PathTree } from './pathTree.ts';
import type { RestDeps, RestOptions } from './restOptions.ts';
import { routedMethods } from './routedMethods.ts';

/** The header in which the gateway names the height of an answer. */
const ANSWER_HEIGHT = 'grpc-metadata-x-cosmos-block-height';

type Limits = Pick<RestOptions, 'maxCalls' | 'callTimeoutMs'>;

/** One route for each HTTP rule of each method that is answered. */
export function queryRoutes(limits: Limits, deps: RestDeps): HttpRoute[] {
  const guarded = guard(limits, deps);
  return routedMethods(deps.schema, deps.queries.paths).map(({ method, rule }) => ({
    method: rule.verb,
    path: pathPattern(rule.template).path,
    handler: guarded(method, rule),
  }));
}

/** The handlers of GET routes by path and query as sent, for the lane past the framework. */
export function directGets(routes: readonly HttpRoute[]): (url: string) => HttpHandler | undefined {
  const tree = new PathTree<HttpHandler>();
  for (const { method, path, handler } of routes) if (method === 'GET') tree.add(path, handler);
  return (url) => {
    const query = url.indexOf('?');
    const found = tree.find(query < 0 ? url : url.slice(0, query));
    if (!found) return undefined;
    const { value: handler, params } = found;
    return (request) => handler(withParams(request, params));
  };
}

function withParams(request: HttpRequest, params: Readonly<Record<string, string>>): HttpRequest {
  const { method, url, headers, remoteAddress, body } = request;
  return { method, url, headers, remoteAddress, body, params, onClose: (heard) => request.onClose(heard) };
}

function guard({ maxCalls, callTimeoutMs }: Limits, deps: RestDeps) {
  const counter = deps.metrics?.counter({
    name: 'chain_rest_requests_total',
    help: 'REST requests by method and HTTP status',
    labels: ['method', 'status'],
  });
  const boundary = new CrashBoundary({ name: 'rest' }, deps);
  const cache = new AnswersOfHeight(() => deps.queries.height);
  deps.queries.onRewind(() => cache.clear());
  let running = 0;
  return (method: ProtoMethod, rule: HttpRule): HttpHandler => {
    const answer = answerOf(method, rule, { ...deps, cache });
    const mayKeep = isKept(method, rule);
    const count = (reply: HttpReply): HttpReply => {
      counter?.add(1, { method: method.path, status: String(reply.status ?? 200) });
      return reply;
    };
    const guarded = async (request: HttpRequest): Promise<HttpReply> => {
      if (running >= maxCalls) {
        return gatewayError('RESOURCE_EXHAUSTED', `the node answers ${maxCalls} queries at once; try again`);
      }
      running++;
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort('timeout'), callTimeoutMs);
      request.onClose(() => controller.abort('cancelled'));
      try {
        return await answer(request, controller.signal);
      } catch (error) {
        const { name, message } = queryStatus(error);
        if (name === 'INTERNAL') boundary.report(error, { path: method.path });
        return gatewayError(name, message);
      } finally {
        clearTimeout(timer);
        running--;
      }
    };
    return (request) => {
      const kept = mayKeep && !namesHeight(request) ? cache.find(request.url) : undefined;
      return kept ? count(kept) : guarded(request).then(count);
    };
  };
}

const isKept = ({ path }: ProtoMethod, { verb }: HttpRule): boolean =>
  verb === 'GET' && followsFromState(path);

function answerOf(
  method: ProtoMethod,
  rule: HttpRule,
  { schema, queries, cache }: RestDeps & { readonly cache: AnswersOfHeight },
) {
  const { parametersOf } = pathPattern(rule.template);
  return async (request: HttpRequest, signal: AbortSignal): Promise<HttpReply> => {
    const inPath = parametersOf(request.params);
    const bytes = rule.body
      ? schema.fromBody(method.input, request.body.toString('utf8'), inPath)
      : schema.fromParameters(method.input, [...queryOf(request.url), ...inPath]);
    const answer = await queries.answer(method.path, bytes, { height: heightOf(request), signal });
    const reply = {
      headers: {
        [ANSWER_HEIGHT]: String(answer.height),
        'access-control-expose-headers': ANSWER_HEIGHT,
      },
      body: JSON.stringify(schema.toJson(method.output, answer.bytes)),
    };
    if (isKept(method, rule) && !namesHeight(request)) cache.keep(request.url, answer.height, reply);
    return reply;
  };
}

function queryOf(url: string): [string, string][] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}

const givenHeight = ({ headers }: HttpRequest) =>
  headers[HEIGHT_HEADER] ?? headers[`grpc-metadata-${HEIGHT_HEADER}`];

const namesHeight = (request: HttpRequest): boolean => givenHeight(request) !== undefined;

function heightOf(request: HttpRequest): number | undefined {
  const given = givenHeight(request);
  return parseHeight(Array.isArray(given) ? given[0] : given);
}
