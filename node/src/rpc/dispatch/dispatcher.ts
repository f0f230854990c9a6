import type { Logger } from '@chain/platform';
import type { LegacyGate } from '../legacy/legacyGate.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { methodNotFound, RPC_CODE, RpcError } from '../rpcError.ts';
import type { RpcCall, RpcMethod } from '../rpcMethod.ts';
import { errorText, resultText, toRpcError } from './answer.ts';
import { decodeArguments, parseRequest, type Request } from './envelope.ts';
import type { RpcMetrics } from './rpcMetrics.ts';
import { withinTime } from './withinTime.ts';

export interface DispatchLimits {
  /** Calls in one batch. */
  readonly batchMax: number;
  /** Bytes of the answer to one batch. */
  readonly batchResponseBytesMax: number;
  /** A call that takes longer is answered with −32002. */
  readonly callTimeoutMs: number;
  /** A call that takes longer is logged. */
  readonly slowCallMs: number;
  /** Methods that are answered as if they did not exist. */
  readonly denied: readonly string[];
}

export interface DispatcherParts {
  readonly methods: readonly RpcMethod[];
  readonly gate: LegacyGate;
  readonly deps: RpcDeps;
  readonly metrics: RpcMetrics;
  readonly logger: Logger;
}

/** Answers bodies: single requests and batches, by the rules of json-rpc.md §1.3. */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #parts: DispatcherParts;
  readonly #methods: ReadonlyMap<string, RpcMethod>;

  constructor(limits: DispatchLimits, parts: DispatcherParts) {
    this.#limits = limits;
    this.#parts = parts;
    const offered = parts.methods.filter(({ name }) => !limits.denied.includes(name));
    this.#methods = new Map(offered.map((method) => [method.name, method]));
  }

  /** The whole answer; '' when there is nothing to say (only notifications). A plain call is not a promise. */
  answer(body: Buffer, call: RpcCall): string | Promise<string> {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.toString('utf8'));
    } catch {
      return `${errorText('null', new RpcError(RPC_CODE.parse, 'parse error'))}\n`;
    }
    if (Array.isArray(parsed)) return this.#batch(parsed, call);
    const answer = this.#one(parsed, call);
    return typeof answer === 'string' ? withNewline(answer) : answer.then(withNewline);
  }

  async #batch(elements: readonly unknown[], call: RpcCall): Promise<string> {
    if (elements.length === 0) return this.#refuse('empty batch');
    if (elements.length > this.#limits.batchMax) return this.#refuse('batch too large');
    const answers: string[] = [];
    let bytes = 0;
    for (const element of elements) {
      const full = bytes > this.#limits.batchResponseBytesMax;
      const answer = full ? tooLarge(element) : await this.#one(element, call);
      if (answer !== '') answers.push(answer);
      bytes += answer.length;
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]\n`;
  }

  #refuse(message: string): string {
    return `${errorText('null', new RpcError(RPC_CODE.invalidRequest, message))}\n`;
  }

  /** '' for a notification. */
  #one(element: unknown, call: RpcCall): string | Promise<string> {
    const request = parseRequest(element);
    if (!request) return errorText('null', new RpcError(RPC_CODE.invalidRequest, 'invalid request'));
    const started = performance.now();
    const end = (answer: string, code?: number): string => {
      this.#note(request, performance.now() - started, code);
      return request.id === undefined ? '' : answer;
    };
    const id = request.id ?? 'null';
    const fail = (error: unknown): string => {
      const shown = this.#shown(error, request);
      return end(errorText(id, shown), shown.rpcCode);
    };
    try {
      const result = this.#call(request, call);
      if (!(result instanceof Promise)) return end(resultText(id, result));
      return withinTime(result, this.#limits.callTimeoutMs).then((value) => end(resultText(id, value)), fail);
    } catch (error) {
      return fail(error);
    }
  }

  #call({ method: name, params }: Request, call: RpcCall): unknown {
    if (this.#parts.gate.check(name)) this.#parts.gate.mark(call);
    const method = this.#methods.get(name);
    if (!method) throw methodNotFound(name);
    return method.handle(this.#parts.deps, decodeArguments(method, params), call);
  }

  #shown(error: unknown, { method }: Request): RpcError {
    const shown = toRpcError(error);
    if (shown) return shown;
    this.#parts.logger.error('JSON-RPC method crashed', { method, error });
    return new RpcError(RPC_CODE.internal, 'method handler crashed');
  }

  #note({ method }: Request, milliseconds: number, code: number | undefined): void {
    // Unknown names are the caller's words: they must not become labels.
    const label = this.#methods.has(method) ? method : 'unknown';
    this.#parts.metrics.answered(label, milliseconds / 1000, code);
    if (milliseconds > this.#limits.slowCallMs) {
      this.#parts.logger.warn('Slow JSON-RPC call', {
        method: label,
        milliseconds: Math.round(milliseconds),
        code,
      });
    }
  }
}

function withNewline(answer: string): string {
  return answer === '' ? '' : `${answer}\n`;
}

function tooLarge(element: unknown): string {
  const error = new RpcError(RPC_CODE.responseTooLarge, 'response too large');
  const request = parseRequest(element);
  return request && request.id === undefined ? '' : errorText(request?.id ?? 'null', error);
}
