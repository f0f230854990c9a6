import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { CodedError } from '../errors.ts';
import { guardedLookup, refuseAddress } from './forbiddenAddresses.ts';

export interface HttpAsk {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the first byte that is sent to the last one that is read. */
  readonly timeoutMs: number;
  /** Of the answer's body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * One request. Throws ASK_TOO_LARGE for more bytes than asked for, and ASK_FAILED where there is no answer, a redirect
 * or a compressed body. The messages name the fault alone: what the server has sent is in none of them.
 */
export async function askHttp(url: string, ask: HttpAsk): Promise<HttpAnswer> {
  const limit = AbortSignal.timeout(ask.timeoutMs);
  const signal = ask.signal ? AbortSignal.any([ask.signal, limit]) : limit;
  try {
    const answer = await opened(new URL(url), ask, signal);
    try {
      return {
        status: plainStatus(answer),
        headers: answer.headers,
        body: await bodyOf(answer, ask.maxBytes),
      };
    } finally {
      answer.destroy();
    }
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw failed(limit.aborted ? `nothing within ${ask.timeoutMs / 1000} s` : faultIn(cause), cause);
  }
}

const failed = (why: string, cause?: unknown): CodedError => new CodedError('ASK_FAILED', why, { cause });

async function opened(url: URL, ask: HttpAsk, signal: AbortSignal): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failed('its address is not http or https');
  refuseAddress(url.hostname.replace(/^\[|\]$/g, ''));
  const headers = {
    'accept-encoding': 'identity',
    ...(ask.body !== undefined && { 'content-length': String(Buffer.byteLength(ask.body)) }),
    ...ask.headers,
  };
  const options = { method: ask.method ?? 'GET', headers, signal, lookup: guardedLookup };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'http:' ? http : https).request(url, options, resolve);
  request.on('error', reject);
  request.end(ask.body);
  return await promise;
}

function plainStatus({ statusCode = 0, headers }: IncomingMessage): number {
  if (statusCode >= 300 && statusCode < 400) {
    throw failed(`it redirects (HTTP ${statusCode}); name the address that it redirects to`);
  }
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw failed('its answer is compressed, which nobody asked for');
  return statusCode;
}

async function bodyOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new CodedError('ASK_TOO_LARGE', `its answer has more than ${maxBytes} bytes`, {
        fields: { maxBytes },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node's own words for a system call that failed; else the code alone: a certificate's text is the server's. */
function faultIn(error: unknown): string {
  const { syscall, message, code } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return message;
  return code === undefined ? 'it gives no HTTP answer' : `it gives no HTTP answer (${code})`;
}
