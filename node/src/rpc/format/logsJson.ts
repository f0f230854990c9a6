import type { TurnShare, Turns } from '@chain/platform';
import type { LogMatch } from '../../history/index.ts';
import { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';
import type { LogsWriter } from './logsWriter.ts';

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
/** The event loop gets its turn after so long. */
const TURN_MS = 3;

/** Limits of one answer. */
export interface LogsJsonLimits {
  /** Of its text. Above it the query is refused. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A list of logs as JSON, the same text as of `formatLog`, in pieces that are never put together. */
export class LogsList {
  readonly #limits: LogsJsonLimits;
  readonly #writer: LogsWriter;
  readonly #pieces: Uint8Array[] = [OPEN];
  #length = OPEN.length + CLOSE.length;
  readonly #share: TurnShare;

  constructor(
    limits: LogsJsonLimits,
    { writer, turns }: { readonly writer: LogsWriter; readonly turns: Turns },
  ) {
    limits.signal.throwIfAborted();
    this.#limits = limits;
    this.#writer = writer;
    this.#share = turns.share(TURN_MS);
  }

  /** Text of logs, each behind a comma. Throws −32000 when the list grows beyond its limit. */
  append(text: Uint8Array): void {
    if (text.length === 0) return;
    this.#pieces.push(this.#pieces.length === 1 ? text.subarray(1) : text);
    this.#length += text.length;
    if (this.#length > this.#limits.maxBytes) throw tooLarge(this.#limits.maxBytes);
  }

  /**
   * Writes logs and appends them; the event loop gets its turns. Gives the text. Throws the signal's reason.
   */
  async write(logs: readonly LogMatch[]): Promise<readonly Uint8Array[]> {
    const texts: Uint8Array[] = [];
    for (let next = 0; next < logs.length; ) {
      const piece = this.#writer.write(logs, next, this.#share.ends);
      next = piece.next;
      texts.push(piece.text);
      this.append(piece.text);
      if (!this.#share.isOver) continue;
      await this.#share.next();
      this.#limits.signal.throwIfAborted();
    }
    return texts;
  }

  json(): RawJson {
    return new RawJson([...this.#pieces, CLOSE]);
  }
}

function tooLarge(maxBytes: number) {
  return serverError(
    `query matches too many log bytes: result exceeds the maximum of ${maxBytes} bytes; narrow the block range or filter criteria`,
  );
}
