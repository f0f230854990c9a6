import type { ServerResponse } from 'node:http';
import type { CrashBoundary } from '@chain/platform';
import type { BodyReader, DirectMessage } from '@chain/platform/servers';
import type { ClientBuckets } from '../limit/index.ts';
import { pickCalls, readTarget } from '../rules/index.ts';
import type { UpstreamPool } from '../upstream/index.ts';
import { Exchange } from './exchange.ts';
import { judgeCalls } from './judgeCalls.ts';
import type { LimiterMetrics, Rejection, Route } from './limiterMetrics.ts';
import { headersToNode } from './passedHeaders.ts';
import type { Client, Peers } from './peers.ts';
import type { Policy } from './policy.ts';
import { CODES, deniedText, errorText, limitedText, retryAfterSeconds } from './refusals.ts';

/** What is in force; replaced as a whole when the settings change. */
export interface InForce {
  readonly policy: Policy;
  readonly upstream: UpstreamPool;
  readonly bodies: BodyReader;
}

export interface GatewayDeps {
  readonly buckets: ClientBuckets;
  readonly peers: Peers;
  readonly metrics: LimiterMetrics;
  readonly boundary: CrashBoundary;
  /** Whether clients should connect elsewhere. */
  readonly isDraining: () => boolean;
}

/** A request that is being judged. */
interface Asked extends InForce {
  readonly message: DirectMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly route: Route;
}

interface Refusal {
  readonly reason: Rejection;
  readonly status: number;
  readonly text: string;
  readonly waitMs?: number;
}

/** So much of a refused body is read, so that the connection stays of use. */
const MAX_SKIPPED_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);

/** Judges requests, in the order in which judging them costs least, and passes them on. */
export class Gateway {
  readonly #deps: GatewayDeps;
  #inForce: InForce;
  #underWay = 0;
  #idle: (() => void) | undefined;

  constructor(inForce: InForce, deps: GatewayDeps) {
    this.#inForce = inForce;
    this.#deps = deps;
  }

  /** Requests passed on and not answered yet. */
  get underWay(): number {
    return this.#underWay;
  }

  /** For requests from now on. */
  configure(inForce: InForce): void {
    this.#inForce = inForce;
  }

  /** Resolves when nothing is under way. */
  async whenIdle(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((idle) => {
      this.#idle = idle;
    });
  }

  handle(message: DirectMessage, response: ServerResponse): void {
    const { policy } = this.#inForce;
    const { headers, socket, url = '' } = message;
    const client = this.#deps.peers.clientOf(
      socket,
      headers['x-forwarded-for'] as string | undefined,
      policy,
    );
    const target = readTarget(message.method, url, policy.settings.http['max-url-bytes']);
    const route = target.kind === 'refused' ? 'other' : target.kind;
    const asked: Asked = { ...this.#inForce, message, response, client, route };
    const waitMs = takeCalls(this.#deps, client, 1);
    if (waitMs > 0) {
      this.#limit(asked, waitMs, limitedText(null, waitMs));
      return;
    }
    if (target.kind === 'refused') {
      const reason = target.status === 414 ? 'size' : 'invalid';
      const text = errorText(null, CODES.invalidRequest, [target.reason]);
      this.#refuse(asked, { reason, status: target.status, text });
      return;
    }
    if (target.kind === 'uri' && !policy.rules.allows(target.method)) {
      this.#refuse(asked, { reason: 'denied', status: 403, text: deniedText(-1, target.method) });
      return;
    }
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) {
      this.#forward(asked, EMPTY);
      return;
    }
    if (message.method !== 'POST') {
      const text = errorText(null, CODES.invalidRequest, ['only POST has a body']);
      this.#refuse(asked, { reason: 'invalid', status: 400, text });
      return;
    }
    if (headers.expect !== undefined) response.writeContinue();
    this.#readBody(asked);
  }

  #readBody(asked: Asked): void {
    const answer = (body: Parameters<Parameters<BodyReader['read']>[1]>[0]): void => {
      if (!Buffer.isBuffer(body)) {
        const { status = 500, headers } = body;
        const reason = status === 413 ? 'size' : status === 408 ? 'slow' : 'busy';
        const text = errorText(null, CODES.invalidRequest, [String(body.body)]);
        const waitMs = headers?.['retry-after'] === undefined ? {} : { waitMs: 1000 };
        this.#refuse(asked, { reason, status, text, ...waitMs });
      } else if (asked.route === 'calls') this.#judge(asked, body);
      else this.#forward(asked, body);
    };
    const { boundary } = this.#deps;
    asked.bodies.read(
      asked.message,
      boundary.guard(answer, () => asked.response.destroy()),
    );
  }

  #judge(asked: Asked, body: Buffer): void {
    const { policy, client } = asked;
    const { isExempt } = client;
    const take = (calls: number): number => takeCalls(this.#deps, client, calls);
    const verdict = judgeCalls(body, { policy, isExempt, paid: 1, take });
    if (verdict.kind === 'forward') {
      this.#forward(asked, body);
      return;
    }
    if (verdict.kind === 'partly' && verdict.may.includes(true)) {
      this.#deps.metrics.rejected('denied');
      const rest = `[${pickCalls(body, (i) => verdict.may[i]!).join(',')}]`;
      this.#forward(asked, body, { body: Buffer.from(rest), answers: verdict.answers.join(',') });
      return;
    }
    asked.bodies.release(body.length);
    if (verdict.kind === 'limited') this.#limit(asked, verdict.waitMs, verdict.text);
    else if (verdict.kind === 'refused') this.#refuse(asked, { ...verdict, status: 200 });
    else this.#refuse(asked, { reason: 'denied', status: 200, text: `[${verdict.answers.join(',')}]` });
  }

  /** With `part` only a part of a batch goes to the node, and the rest of the answers is known. */
  #forward(asked: Asked, body: Buffer, part?: { readonly body: Buffer; readonly answers: string }): void {
    const { message, response, policy, upstream, bodies, route } = asked;
    const { peers, metrics, isDraining } = this.#deps;
    if (this.#underWay >= policy.settings.http['max-concurrent']) {
      bodies.release(body.length);
      const text = errorText(null, CODES.limited, ['too many requests are under way']);
      this.#refuse(asked, { reason: 'busy', status: 503, text, waitMs: 1000 });
      return;
    }
    this.#underWay++;
    const started = performance.now();
    const ended = (status: number): void => {
      bodies.release(body.length);
      metrics.upstreamSeconds((performance.now() - started) / 1000);
      // 499, as nginx has it: the client left.
      metrics.answered(route, status === 0 ? 499 : status);
      this.#leave();
    };
    const said = message.headers['x-forwarded-for'] as string | undefined;
    upstream.dispatch(
      {
        path: message.url!,
        method: message.method as 'GET',
        headers: headersToNode({
          rawHeaders: message.rawHeaders,
          // Answers that are put together must be plain text.
          isPlain: part !== undefined,
          host: message.headers.host,
          connection: message.headers.connection,
          forwardedFor: peers.forwardedFor(message.socket, said, policy),
        }),
        body: body.length > 0 ? (part?.body ?? body) : null,
      },
      new Exchange({ response, answers: part?.answers, closes: isDraining, ended }),
    );
  }

  #leave(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#idle?.();
  }

  #limit(asked: Asked, waitMs: number, text: string): void {
    const status = asked.policy.settings.limit['reject-status'];
    this.#refuse(asked, { reason: 'limited', status, text, waitMs });
  }

  #refuse({ message, response, route }: Asked, { reason, status, text, waitMs }: Refusal): void {
    this.#deps.metrics.rejected(reason);
    this.#deps.metrics.answered(route, status);
    // A refusal holds nothing secret: a page may read why.
    const fromPage = message.headers.origin !== undefined;
    const headers = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(text))];
    if (waitMs !== undefined) headers.push('retry-after', retryAfterSeconds(waitMs));
    if (fromPage) {
      headers.push('access-control-allow-origin', '*', 'access-control-expose-headers', 'retry-after');
    }
    // What was waited for once is not waited for again.
    const isLate = status === 408;
    if (isLate || !isSkippable(message) || this.#deps.isDraining()) headers.push('connection', 'close');
    response.writeHead(status, headers);
    response.end(message.method === 'HEAD' ? undefined : text);
    message.discard();
  }
}

/** Takes calls of a client from its bucket: 0, or the ms to wait. */
export function takeCalls({ buckets }: Pick<GatewayDeps, 'buckets'>, client: Client, calls: number): number {
  return client.isExempt ? 0 : buckets.take(client.key, calls);
}

/** Whether what is left of the request is little: else its connection is not waited for. */
function isSkippable({ headers }: DirectMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_SKIPPED_BYTES;
}
