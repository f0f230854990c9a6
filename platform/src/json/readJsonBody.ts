import { CodedError } from '../errors.ts';
import { JSON_LIMITS, type JsonReading, parseJson } from './parseJson.ts';

/** What `fetch` and undici's `request` give as an answer's body. */
export type BodyChunks = AsyncIterable<Uint8Array>;

/**
 * The JSON of a body that a peer sends, read no further than `maxBytes`. Throws JSON_TOO_LARGE, and what `parseJson`
 * throws.
 */
export async function readJsonBody(
  body: BodyChunks | null,
  reading: JsonReading = JSON_LIMITS,
): Promise<unknown> {
  const { maxBytes = JSON_LIMITS.maxBytes } = reading;
  return parseJson(await readBytes(body, maxBytes), reading);
}

/** A body as a whole. Throws JSON_TOO_LARGE as soon as it has more bytes than that. */
async function readBytes(body: BodyChunks | null, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    // Leaving the loop ends the body, and its connection with it.
    if (length > maxBytes) {
      throw new CodedError('JSON_TOO_LARGE', `the answer has more than ${maxBytes} bytes; ask for less`, {
        fields: { maxBytes },
      });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
