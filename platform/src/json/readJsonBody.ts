import { CodedError } from '../errors.ts';
import { JSON_LIMITS, type JsonReading, parseJson } from './parseJson.ts';

/** What `fetch` and undici's `request` give as an answer's body. */
export type BodyChunks = AsyncIterable<Uint8Array>;

/**
 * The JSON of a body that a peer sends, read no further than `bytesMax`. Throws JSON_TOO_LARGE, and what `parseJson`
 * throws.
 */
export async function readJsonBody(
  body: BodyChunks | null,
  reading: JsonReading = JSON_LIMITS,
): Promise<unknown> {
  const { bytesMax = JSON_LIMITS.bytesMax } = reading;
  return parseJson(await readBytes(body, bytesMax), reading);
}

/** A body as a whole. Throws JSON_TOO_LARGE as soon as it has more bytes than that. */
async function readBytes(body: BodyChunks | null, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    // Leaving the loop ends the body, and its connection with it.
    if (length > bytesMax) {
      throw new CodedError('JSON_TOO_LARGE', `the answer has more than ${bytesMax} bytes; ask for less`, {
        fields: { bytesMax },
      });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
