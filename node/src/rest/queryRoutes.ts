import type { HttpHandler, HttpReply, HttpRequest, HttpRoute } from '@chain/platform';
import { HEIGHT_HEADER, parseHeight, queryStatus } from '../ledgerQuery/index.ts';
import type { HttpRule, ProtoMethod } from '../proto/index.ts';
import { gatewayError } from './gatewayError.ts';
import { pathPattern } from './pathPattern.ts';
import type { RestDeps, RestOptions } from './restOptions.ts';
import { routedMethods } from './routedMethods.ts';

/** The header in which the gateway names the height of an answer. */
const ANSWER_HEIGHT = 'grpc-metadata-x-cosmos-block-height';

type Limits = Pick<RestOptions, 'callsMax' | 'callTimeoutMs'>;

/** One route for each HTTP rule of each method that is answered. */
export function queryRoutes(limits: Limits, deps: RestDeps): HttpRoute[] {
  const guarded = guard(limits, deps);
  return routedMethods(deps.schema, deps.queries.paths).map(({ method, rule }) => ({
    method: rule.verb,
    path: pathPattern(rule.template).path,
    handler: guarded(method, rule),
  }));
}

function guard({ callsMax, callTimeoutMs }: Limits, deps: RestDeps) {
  const counter = deps.metrics?.counter({
    name: 'chain_rest_requests_total',
    help: 'REST requests by method and HTTP status',
    labels: ['method', 'status'],
  });
  let running = 0;
  return (method: ProtoMethod, rule: HttpRule): HttpHandler => {
    const answer = answerOf(method, rule, deps);
    const guarded = async (request: HttpRequest): Promise<HttpReply> => {
      if (running >= callsMax) {
        return gatewayError('RESOURCE_EXHAUSTED', `the node answers ${callsMax} queries at once; try again`);
      }
      running++;
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort('timeout'), callTimeoutMs);
      request.onClose(() => controller.abort('cancelled'));
      try {
        return await answer(request, controller.signal);
      } catch (error) {
        const { name, message } = queryStatus(error);
        if (name === 'INTERNAL') deps.logger.error('REST query failed', { path: method.path, error });
        return gatewayError(name, message);
      } finally {
        clearTimeout(timer);
        running--;
      }
    };
    return async (request) => {
      const reply = await guarded(request);
      counter?.add(1, { method: method.path, status: String(reply.status ?? 200) });
      return reply;
    };
  };
}

function answerOf(method: ProtoMethod, rule: HttpRule, { schema, queries }: RestDeps) {
  const { parametersOf } = pathPattern(rule.template);
  return async (request: HttpRequest, signal: AbortSignal): Promise<HttpReply> => {
    const inPath = parametersOf(request.params);
    const bytes = rule.body
      ? schema.fromBody(method.input, request.body.toString('utf8'), inPath)
      : schema.fromParameters(method.input, [...queryOf(request.url), ...inPath]);
    const answer = await queries.answer(method.path, bytes, { height: heightOf(request), signal });
    return {
      headers: {
        [ANSWER_HEIGHT]: String(answer.height),
        'access-control-expose-headers': ANSWER_HEIGHT,
      },
      body: JSON.stringify(schema.toJson(method.output, answer.bytes)),
    };
  };
}

function queryOf(url: string): [string, string][] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}

function heightOf({ headers }: HttpRequest): number | undefined {
  const given = headers[HEIGHT_HEADER] ?? headers[`grpc-metadata-${HEIGHT_HEADER}`];
  return parseHeight(Array.isArray(given) ? given[0] : given);
}
