import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { CounterMetric } from '@chain/platform/metrics';
import type { CredentialSource, Credentials } from './credentials.ts';
import { kubeError, unreachable } from './kubeErrors.ts';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Of metrics and messages: `get`, `apply`, `watch`. */
  readonly verb: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface TransportOptions {
  /** Name and version of the program, for the API server's audit and its flow schemas. */
  readonly userAgent?: string;
  /** From a request to the end of its answer; 30 s. */
  readonly answerMs?: number;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case; none by default. A kubeconfig's `proxy-url` goes first. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

interface TransportDeps {
  readonly credentials: CredentialSource;
  readonly requests: CounterMetric<'verb' | 'code'>;
}

interface Agents {
  readonly 'http:': http.Agent;
  readonly 'https:': https.Agent;
}

const SOCKETS = 16;
const ANSWER_MS = 30_000;
/** A clock that is off by less is called right: the header has whole seconds, and answers take time. */
const SKEW_MS = 5_000;

/**
 * The one way to the API server: connections are kept and used again, every request ends within its time, and
 * whatever is no success is a coded error. Credentials that are refused are read anew, once.
 */
export class Transport {
  readonly #credentials: CredentialSource;
  readonly #requests: TransportDeps['requests'];
  readonly #options: TransportOptions;
  readonly #agents: Agents;
  /** Watches hold a connection each for minutes, and must not take those of requests. */
  readonly #watchAgents: Agents;
  #skewMs = 0;

  constructor(options: TransportOptions, { credentials, requests }: TransportDeps) {
    this.#options = options;
    const { environment: proxyEnv } = options;
    const proxied = proxyEnv && { proxyEnv };
    this.#agents = agentsOf({ keepAlive: true, maxSockets: SOCKETS, keepAliveMsecs: 30_000, ...proxied });
    this.#watchAgents = agentsOf({ ...proxied });
    this.#credentials = credentials;
    this.#requests = requests;
  }

  /** By how much the API server's clock is ahead; 0 when it is about the same. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** The body of a success. Throws CodedErrors with a `KubeErrorCode`. */
  async send(request: KubeRequest): Promise<string> {
    const timeout = AbortSignal.timeout(this.#options.answerMs ?? ANSWER_MS);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await this.#open({ ...request, signal }, false);
    try {
      return await textOf(response);
    } catch (cause) {
      throw unreachable(describe(request), timeout.aborted ? timeout.reason : cause);
    }
  }

  /** A success whose body has not been read. Not bounded in time: that is for who reads it. */
  stream(request: KubeRequest & { readonly signal: AbortSignal }): Promise<IncomingMessage> {
    return this.#open(request, true);
  }

  close(): void {
    for (const agents of [this.#agents, this.#watchAgents]) {
      agents['http:'].destroy();
      agents['https:'].destroy();
    }
  }

  async #open(request: KubeRequest, isWatch: boolean): Promise<IncomingMessage> {
    for (let attempt = 0; ; attempt++) {
      const sent = await this.#attempt(request, isWatch, attempt > 0);
      const { response } = sent;
      if (response === undefined) {
        // The server had closed a kept connection just when it was used. Nothing of the request can have arrived
        // whole, but only those that may be said twice are said again.
        if (attempt === 0 && sent.wasStale && request.method !== 'POST') continue;
        this.#requests.add(1, { verb: request.verb, code: 'none' });
        throw unreachable(describe(request), sent.failure);
      }
      const status = response.statusCode ?? 0;
      this.#requests.add(1, { verb: request.verb, code: status });
      this.#readClock(response.headers.date);
      if (status >= 200 && status < 300) return response;
      const body = await textOf(response).catch(() => '');
      if (status === 401 && attempt === 0) continue;
      throw kubeError(describe(request), { status, body, retryAfter: response.headers['retry-after'] });
    }
  }

  async #attempt(request: KubeRequest, isWatch: boolean, anew: boolean): Promise<Sent> {
    let credentials: Credentials;
    try {
      credentials = await this.#credentials.get(anew);
    } catch (failure) {
      return { failure, wasStale: false };
    }
    const protocol = credentials.server.protocol === 'http:' ? 'http:' : 'https:';
    const agents = isWatch ? this.#watchAgents : this.#agents;
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
    const sent = (protocol === 'http:' ? http : https).request(urlOf(credentials.server, request), {
      ...credentials.tls,
      method: request.method,
      agent: credentials.agent ?? agents[protocol],
      headers: {
        accept: 'application/json',
        ...(this.#options.userAgent !== undefined && { 'user-agent': this.#options.userAgent }),
        ...(body && {
          'content-type': request.contentType ?? 'application/json',
          'content-length': body.length,
        }),
        ...credentials.headers,
      },
      ...(request.signal && { signal: request.signal }),
    });
    return await answerTo(sent, body);
  }

  #readClock(date: string | undefined): void {
    const theirs = date === undefined ? Number.NaN : Date.parse(date);
    if (Number.isNaN(theirs)) return;
    const skew = theirs - Date.now();
    this.#skewMs = Math.abs(skew) > SKEW_MS ? skew : 0;
  }
}

const agentsOf = (options: http.AgentOptions): Agents => ({
  'http:': new http.Agent(options),
  'https:': new https.Agent(options),
});

interface Sent {
  readonly response?: IncomingMessage;
  readonly failure?: unknown;
  readonly wasStale: boolean;
}

function answerTo(sent: ClientRequest, body: Buffer | undefined): Promise<Sent> {
  return new Promise((done) => {
    sent.on('response', (response) => done({ response, wasStale: false }));
    sent.on('error', (failure: NodeJS.ErrnoException) =>
      done({
        failure,
        wasStale: sent.reusedSocket && (failure.code === 'ECONNRESET' || failure.code === 'EPIPE'),
      }),
    );
    sent.end(body);
  });
}

function urlOf(server: URL, { path, query = {} }: KubeRequest): URL {
  const url = new URL(server);
  url.pathname = `${server.pathname.replace(/\/$/, '')}${path}`;
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function describe({ verb, path }: KubeRequest): string {
  return `${verb} ${path}`;
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}
