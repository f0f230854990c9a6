import type { IncomingMessage } from 'node:http';
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

const NO_BODY = Buffer.alloc(0);

/**
 * Reads request bodies under limits. A body counts against the shared budget by its declared length from the
 * first byte on, and is given back by `release`. Refusals: 413, 429, 408, each with `Retry-After` where
 * coming back makes sense.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #silences: Silences;
  #heldBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#silences = new Silences(limits.bodyIdleTimeoutMs);
  }

  /** Calls `answer` exactly once; not at all when the peer is gone. */
  read(message: IncomingMessage, answer: Answer): void {
    const declared = Number(message.headers['content-length'] ?? 0);
    const { maxBodyBytes } = this.#limits;
    if (declared > maxBodyBytes) answer(tooLarge(declared, maxBodyBytes));
    else if (!this.#hold(declared)) answer(refusal(429, 'server busy', 1));
    else this.#collect(message, declared, answer);
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  #hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#limits.maxConcurrentBodyBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  #collect(message: IncomingMessage, declared: number, answer: Answer): void {
    const chunks: Buffer[] = [];
    let held = declared;
    let length = 0;
    let settled = false;
    const settle = (result?: Buffer | HttpReply): void => {
      // A reset connection also errors after the body was answered.
      if (settled) return;
      settled = true;
      this.#silences.forget(arriving);
      message.removeListener('data', onData).removeListener('end', onEnd).removeListener('close', onClose);
      if (!Buffer.isBuffer(result)) this.release(held);
      else this.release(held - result.length);
      if (result !== undefined) answer(result);
    };
    const grow = (): void => {
      if (!this.#hold(length - held)) settle(refusal(429, 'server busy', 1));
      else held = length;
    };
    const onData = (chunk: Buffer): void => {
      arriving.heardAt = performance.now();
      chunks.push(chunk);
      length += chunk.length;
      if (length > this.#limits.maxBodyBytes) settle(tooLarge(length, this.#limits.maxBodyBytes));
      else if (length > held) grow();
    };
    const onEnd = (): void => settle(chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NO_BODY));
    const onClose = (): void => settle();
    const arriving: Arriving = {
      heardAt: performance.now(),
      onSilence: () => settle(refusal(408, 'request timeout', 1)),
    };
    this.#silences.watch(arriving);
    message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  }
}

interface Arriving {
  heardAt: number;
  readonly onSilence: () => void;
}

/** Looks now and then at all bodies that are arriving: most are there at once, and a timer each would cost more. */
class Silences {
  readonly #longestMs: number;
  readonly #arriving = new Set<Arriving>();
  #timer: NodeJS.Timeout | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  watch(body: Arriving): void {
    this.#arriving.add(body);
    this.#timer ??= setInterval(() => this.#look(), Math.max(1, this.#longestMs / 4)).unref();
  }

  forget(body: Arriving): void {
    this.#arriving.delete(body);
  }

  #look(): void {
    if (this.#arriving.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const heardBefore = performance.now() - this.#longestMs;
    for (const { heardAt, onSilence } of this.#arriving) if (heardAt <= heardBefore) onSilence();
  }
}

function tooLarge(length: number, limit: number): HttpReply {
  return refusal(413, `content length too large (${length}>${limit})`);
}
