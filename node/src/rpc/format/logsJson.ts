import { setImmediate as nextTurn } from 'node:timers/promises';
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
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * A list of logs as JSON, the same text as of `formatLog`, in pieces that are never put together; the event loop gets
 * its turns. Throws −32000 when it grows beyond its limit, and the signal's reason.
 */
export async function logsJson(
  logs: readonly LogMatch[],
  { bytesMax, signal }: LogsJsonLimits,
  writer: LogsWriter,
): Promise<RawJson> {
  signal.throwIfAborted();
  const pieces: Uint8Array[] = [OPEN];
  let length = OPEN.length + CLOSE.length;
  let turnEnds = performance.now() + TURN_MS;
  for (let next = 0; next < logs.length; ) {
    const piece = writer.write(logs, next, turnEnds);
    next = piece.next;
    pieces.push(piece.text);
    length += piece.text.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    if (next === logs.length || performance.now() < turnEnds) continue;
    await nextTurn();
    signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  pieces.push(CLOSE);
  return new RawJson(pieces);
}

function tooLarge(bytesMax: number) {
  return serverError(
    `query matches too many log bytes: result exceeds the maximum of ${bytesMax} bytes; narrow the block range or filter criteria`,
  );
}
