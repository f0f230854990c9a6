import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate, type Inflate } from 'node:zlib';
import { CodedError } from '@chain/platform';

/** Bytes of one piece that is handed out. */
const PIECE_BYTES = 1 << 20;
/** State rows shrink to a half or a quarter; 1,000 is what zlib can do at most. */
const MAX_RATIO = 200;
const RATIO_SLACK_BYTES = 64 << 20;

/**
 * Decompresses one zlib stream that comes in chunks, a piece at a time: however much a chunk swells, only the next
 * piece is in memory. Throws SNAPSHOT_STREAM when the bytes are no such stream, go on behind its end, or swell
 * beyond what a state can.
 */
export class InflateStream {
  readonly #inflate: Inflate = createInflate({ chunkSize: PIECE_BYTES });
  readonly #pieces: Promise<void>;
  #given = 0;
  #made = 0;
  #failure: unknown;

  /** `onPiece` is called in order, the next time when the promise before has resolved. */
  constructor(onPiece: (piece: Uint8Array) => Promise<void>) {
    this.#pieces = this.#run(onPiece).catch((error: unknown) => {
      this.#failure = error;
      this.#inflate.destroy();
    });
  }

  /** Resolves when the chunk is decompressed, but for what zlib keeps. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#given += chunk.length;
    const taken = new Promise<void>((resolve) => this.#inflate.write(chunk, () => resolve()));
    await Promise.race([taken, this.#pieces]);
    this.#check();
    // The stream's end came before the chunk's.
    if (this.#inflate.bytesWritten < this.#given)
      throw malformed('bytes follow the end of the compressed stream');
  }

  /** Throws when the stream is not whole. */
  async finish(): Promise<void> {
    this.#inflate.end();
    await this.#pieces;
    this.#check();
  }

  destroy(): void {
    this.#inflate.destroy();
  }

  async #run(onPiece: (piece: Uint8Array) => Promise<void>): Promise<void> {
    const take = async (piece: Uint8Array): Promise<void> => {
      this.#made += piece.length;
      if (this.#made > this.#given * MAX_RATIO + RATIO_SLACK_BYTES) {
        throw malformed(`${this.#given} compressed bytes swell to more than ${this.#made}`);
      }
      await onPiece(piece);
    };
    // Not `for await`: it joins the pieces that are ready, which copies each of them.
    const sink = new Writable({
      highWaterMark: PIECE_BYTES,
      write: (piece: Uint8Array, _encoding, done) => void take(piece).then(() => done(), done),
    });
    await pipeline(this.#inflate, sink);
  }

  #check(): void {
    if (this.#failure === undefined) return;
    const code = (this.#failure as { code?: string }).code ?? '';
    if (!code.startsWith('Z_')) throw this.#failure;
    throw malformed(`it is not a whole zlib stream (${(this.#failure as Error).message})`, this.#failure);
  }
}

function malformed(why: string, cause?: unknown): CodedError {
  return new CodedError(
    'SNAPSHOT_STREAM',
    `the snapshot's chunks are refused: ${why}; take another snapshot`,
    {
      cause,
    },
  );
}
