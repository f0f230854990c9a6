import type { IncomingMessage } from 'node:http';
import { BodyPieces } from './bodyPieces.ts';
import type { BodySink, DirectMessage } from './directMessage.ts';
import { type HttpReply, refusal } from './httpExchange.ts';

export interface BodyLimits {
  /** Bytes of one body; more is refused with 413. */
  readonly maxBodyBytes: number;
  /** Bytes of all bodies held at once; more is refused with 429. */
  readonly maxConcurrentBodyBytes: number;
  /** Longest silence while a body is arriving, in ms; longer is refused with 408. */
  readonly bodyIdleTimeoutMs: number;
}

type Answer = (result: Buffer | HttpReply) => void;

/**
 * Reads request bodies under limits. A body counts against the shared budget by its declared length from the
 * first byte on, and is given back by `release`. Refusals: 413, 429, 408, each with `Retry-After` where
 * coming back makes sense.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #silences: Silences;
  readonly #budget: Budget;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#silences = new Silences(limits.bodyIdleTimeoutMs);
    this.#budget = new Budget(limits.maxConcurrentBodyBytes);
  }

  /** Calls `answer` exactly once; not at all when the peer is gone before its body is whole. */
  read(message: DirectMessage, answer: Answer): void {
    const body = this.#arriving(message, answer);
    if (body) message.sendTo(body);
  }

  /** The same of a message that is a stream already. */
  readStream(message: IncomingMessage, answer: Answer): void {
    const body = this.#arriving(message, answer);
    if (!body) return;
    message.on('data', (chunk: Buffer) => body.data(chunk));
    message.once('end', () => body.end());
    message.once('close', () => body.gone());
  }

  /** Holds the bytes of a body that is there already; false when there is no room for it. */
  hold(bytes: number): boolean {
    return bytes <= this.#limits.maxBodyBytes && this.#budget.hold(bytes);
  }

  /** Once nobody needs a body any more. */
  release(bytes: number): void {
    this.#budget.release(bytes);
  }

  /** A body that is held by the length that its head declares; `undefined` when it is refused for it. */
  #arriving({ headers }: IncomingMessage, answer: Answer): ArrivingBody | undefined {
    const declared = Number(headers['content-length'] ?? 0);
    const { maxBodyBytes } = this.#limits;
    if (declared > maxBodyBytes) answer(tooLarge(declared, maxBodyBytes));
    else if (!this.#budget.hold(declared)) answer(busy());
    else {
      const parts = { declared, answer, budget: this.#budget, silences: this.#silences, maxBodyBytes };
      return new ArrivingBody(parts);
    }
    return undefined;
  }
}

/** Bytes of all bodies that are held. */
class Budget {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  hold(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

interface BodyParts {
  readonly declared: number;
  readonly maxBodyBytes: number;
  readonly budget: Budget;
  readonly silences: Silences;
  readonly answer: Answer;
}

/** One body under way. Most are whole with their first chunk, and are then not copied. */
class ArrivingBody implements BodySink, Arriving {
  readonly #parts: BodyParts;
  readonly #pieces = new BodyPieces();
  #held: number;
  #isSettled = false;
  heardAt = 0;

  constructor(parts: BodyParts) {
    this.#parts = parts;
    this.#held = parts.declared;
    parts.silences.watch(this);
  }

  data(chunk: Buffer): void {
    // A refusal may still be on its way while more comes.
    if (this.#isSettled) return;
    const { maxBodyBytes, budget, silences } = this.#parts;
    silences.hear(this);
    this.#pieces.add(chunk);
    const { length } = this.#pieces;
    if (length > maxBodyBytes) this.#settle(tooLarge(length, maxBodyBytes));
    else if (length > this.#held) {
      if (!budget.hold(length - this.#held)) this.#settle(busy());
      else this.#held = length;
    }
  }

  end(): void {
    this.#settle(this.#pieces.take());
  }

  gone(): void {
    this.#settle();
  }

  onSilence(): void {
    this.#settle(refusal(408, 'request timeout', 1));
  }

  #settle(result?: Buffer | HttpReply): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { silences, budget, answer } = this.#parts;
    silences.forget(this);
    budget.release(Buffer.isBuffer(result) ? this.#held - result.length : this.#held);
    this.#pieces.clear();
    if (result !== undefined) answer(result);
  }
}

interface Arriving {
  /** The look before which it was last heard of. */
  heardAt: number;
  onSilence(): void;
}

/** Looks so often within the longest silence. */
const LOOKS = 4;

/**
 * Looks now and then at all bodies that are arriving: most are there at once, and a timer each would cost more, as
 * would asking for the time.
 */
class Silences {
  readonly #maxMs: number;
  readonly #arriving = new Set<Arriving>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  watch(body: Arriving): void {
    this.hear(body);
    this.#arriving.add(body);
    this.#timer ??= setInterval(() => this.#look(), Math.max(1, this.#maxMs / LOOKS)).unref();
  }

  hear(body: Arriving): void {
    body.heardAt = this.#looks;
  }

  forget(body: Arriving): void {
    this.#arriving.delete(body);
  }

  #look(): void {
    this.#looks++;
    if (this.#arriving.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    // The first look comes up to a whole interval after the body was heard of: it does not count.
    for (const body of this.#arriving) if (this.#looks - body.heardAt > LOOKS) body.onSilence();
  }
}

function busy(): HttpReply {
  return refusal(429, 'server busy', 1);
}

function tooLarge(length: number, limit: number): HttpReply {
  return refusal(413, `content length too large (${length}>${limit})`);
}
