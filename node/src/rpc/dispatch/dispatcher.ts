import { CrashBoundary, type CrashCounter, type Logger, type Turns } from '@chain/platform';
import type { LegacyGate } from '../legacy/legacyGate.ts';
import { methodNotFound, RPC_CODE, RpcError } from '../rpcError.ts';
import type { Caller, RpcCall, RpcMethod } from '../rpcMethod.ts';
import { errorText, invalidRequest, resultText, toRpcError } from './answer.ts';
import { answerBatch, type BatchLimits, refusedForNow } from './batch.ts';
import type { BoundMethod } from './boundMethod.ts';
import type { ClientRates } from './clientRates.ts';
import { DispatchedCall } from './dispatchedCall.ts';
import { decodeArguments, type Element, parseBody, type Request } from './envelope.ts';
import { type Answer, withNewline } from './largeAnswer.ts';
import type { MethodMetrics, RpcMetrics } from './rpcMetrics.ts';
import { withinTime } from './withinTime.ts';

export interface DispatchLimits extends BatchLimits {
  /** A call that takes longer is logged. */
  readonly slowCallMs: number;
  /** Methods that are answered as if they did not exist. */
  readonly denied: readonly string[];
}

export interface DispatcherParts {
  readonly methods: readonly BoundMethod[];
  readonly gate: LegacyGate;
  readonly turns: Turns;
  readonly metrics: RpcMetrics;
  /** Absent: clients may call as often as they like. */
  readonly rates?: ClientRates | undefined;
  readonly logger: Logger;
  /** Counts what ends at the boundary of a call. */
  readonly crashes?: CrashCounter | undefined;
}

interface Offer {
  readonly bound: BoundMethod;
  readonly metrics: MethodMetrics;
}

/** The node could not do it in time, in its size, or at all for the others it does. */
const LIMIT_CODES: ReadonlySet<number> = new Set([
  RPC_CODE.timeout,
  RPC_CODE.responseTooLarge,
  RPC_CODE.busy,
]);

/** Answers bodies: single requests and batches, by the rules of spec R-2. */
export class Dispatcher {
  readonly #limits: DispatchLimits;
  readonly #parts: DispatcherParts;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #denied: ReadonlySet<string>;
  readonly #boundary: CrashBoundary;
  /** Unknown names are the caller's words: they must not become labels. */
  readonly #unknown: MethodMetrics;

  constructor(limits: DispatchLimits, parts: DispatcherParts) {
    this.#limits = limits;
    this.#parts = parts;
    this.#denied = new Set(limits.denied);
    this.#unknown = parts.metrics.of('unknown');
    this.#boundary = new CrashBoundary({ name: 'rpc' }, { logger: parts.logger, metrics: parts.crashes });
    this.#offers = new Map(
      parts.methods.map((bound) => {
        const { name } = bound.method;
        return [name, { bound, metrics: parts.metrics.of(name) }];
      }),
    );
  }

  /** The whole answer; '' when there is nothing to say (only notifications). A plain call is not a promise. */
  answer(body: Buffer, caller: Caller): Answer | Promise<Answer> {
    let content: Element | readonly Element[];
    try {
      content = parseBody(body.toString('utf8'));
    } catch {
      return `${errorText('null', new RpcError(RPC_CODE.parse, 'parse error'))}\n`;
    }
    const denied = this.#denied.size > 0 ? this.#findDenied([content].flat()) : undefined;
    if (denied !== undefined) return `${errorText('null', methodNotFound(denied))}\n`;
    const waitMs = this.#parts.rates?.take(caller.client, isBatch(content) ? content.length : 1) ?? 0;
    if (waitMs > 0) return refusedForNow(content, waitMs);
    if (isBatch(content)) {
      return answerBatch(content, this.#limits, {
        one: (element, timeoutMs) =>
          element.kind === 'malformed' && element.isForeign
            ? errorText('null', invalidRequest('Invalid Request'))
            : this.#one(element, caller, timeoutMs),
        isLong: (element) => this.#methodOf(element)?.isLong === true,
        isSubmission: (element) => this.#methodOf(element)?.isSubmission === true,
        turns: this.#parts.turns,
      });
    }
    const answer = this.#single(content, caller);
    return answer instanceof Promise ? answer.then(withNewline) : withNewline(answer);
  }

  #methodOf(element: Element): RpcMethod | undefined {
    return element.kind === 'request' ? this.#offers.get(element.method)?.bound.method : undefined;
  }

  /** One denied name answers the whole body (spec R-2). */
  #findDenied(elements: readonly Element[]): string | undefined {
    const hit = elements.find((element) => element.kind === 'request' && this.#denied.has(element.method));
    return hit?.kind === 'request' ? hit.method : undefined;
  }

  /** Outside a batch the gate also answers what has no id (spec G-3). */
  #single(element: Element, caller: Caller): Answer | Promise<Answer> {
    if (element.kind === 'request' && element.id === undefined && this.#parts.gate.blocks(element.method)) {
      return this.#one({ ...element, id: 'null' }, caller, this.#limits.callTimeoutMs);
    }
    return this.#one(element, caller, this.#limits.callTimeoutMs);
  }

  /** '' for a notification. */
  #one(element: Element, caller: Caller, timeoutMs: number): Answer | Promise<Answer> {
    if (element.kind === 'malformed') return errorText(element.id, invalidRequest('invalid request'));
    const started = performance.now();
    const offer = this.#offers.get(element.method);
    const call = new DispatchedCall(caller);
    try {
      const result = this.#call(element, offer, call);
      if (!(result instanceof Promise)) return this.#succeed(element, offer, started, result);
      return withinTime(result, timeoutMs, () => call.abandon()).then(
        (value) => {
          call.end();
          return this.#succeed(element, offer, started, value);
        },
        (error: unknown) => {
          call.end();
          return this.#fail(element, offer, started, error);
        },
      );
    } catch (error) {
      return this.#fail(element, offer, started, error);
    }
  }

  #call({ method: name, params }: Request, offer: Offer | undefined, call: RpcCall): unknown {
    if (this.#parts.gate.check(name)) this.#parts.gate.mark(call);
    if (!offer) throw methodNotFound(name);
    return offer.bound.run(decodeArguments(offer.bound.method, params), call);
  }

  #succeed({ id }: Request, offer: Offer | undefined, started: number, result: unknown): Answer {
    const text = id === undefined ? '' : resultText(id, result);
    this.#note(offer, performance.now() - started);
    return text;
  }

  #fail({ id, method }: Request, offer: Offer | undefined, started: number, error: unknown): string {
    let shown = toRpcError(error);
    if (!shown) {
      this.#boundary.report(error, { method });
      shown = new RpcError(RPC_CODE.internal, 'method handler crashed');
    }
    const milliseconds = performance.now() - started;
    this.#note(offer, milliseconds, shown.rpcCode);
    this.#report(offer, milliseconds, shown);
    return id === undefined ? '' : errorText(id, shown);
  }

  /** A line for each failure: a warning where this node was at its limits, else only for those who look. */
  #report(offer: Offer | undefined, milliseconds: number, { rpcCode: code, message }: RpcError): void {
    const { logger } = this.#parts;
    const fields = { method: offer?.bound.method.name ?? 'unknown', code, reason: message, milliseconds };
    if (LIMIT_CODES.has(code)) logger.warn('JSON-RPC call refused', fields);
    else logger.debug('JSON-RPC call failed', fields);
  }

  #note(offer: Offer | undefined, milliseconds: number, code?: number): void {
    (offer?.metrics ?? this.#unknown).answered(milliseconds / 1000, code);
    if (milliseconds <= this.#limits.slowCallMs) return;
    const method = offer?.bound.method.name ?? 'unknown';
    this.#parts.logger.warn('Slow JSON-RPC call', { method, milliseconds: Math.round(milliseconds), code });
  }
}

function isBatch(content: Element | readonly Element[]): content is readonly Element[] {
  return Array.isArray(content);
}
