import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CHUNK_BYTES } from '../description.ts';

/**
 * What is written by one sync. Blocks are synced to the same disk meanwhile, and a sync may wait for all that others
 * have handed to it: a whole chunk would hold them up for longer than a block may take.
 */
const PIECE_BYTES = 512 << 10;

/** Cuts compressed bytes into the chunk files of a directory, synced as they come, and hashes them. */
export class ChunkWriter {
  readonly #directory: string;
  readonly #whole = createHash('sha256');
  readonly #hashes: Uint8Array[] = [];
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #filled = 0;
  /** The chunk that is being written. */
  #chunk: { readonly file: number; readonly hash: ReturnType<typeof createHash>; bytes: number } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const room = Math.min(PIECE_BYTES - this.#filled, CHUNK_BYTES - this.#chunkBytes);
      const part = bytes.subarray(at, at + room);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === PIECE_BYTES || this.#chunkBytes === CHUNK_BYTES) this.#writePiece();
      if (this.#chunkBytes === CHUNK_BYTES) this.#endChunk();
    }
  }

  finish(): { readonly hash: Uint8Array; readonly chunkHashes: readonly Uint8Array[] } {
    if (this.#filled > 0) this.#writePiece();
    if (this.#chunk) this.#endChunk();
    return { hash: this.#whole.digest(), chunkHashes: this.#hashes };
  }

  /** Of the present chunk, what is still to be written included. */
  get #chunkBytes(): number {
    return (this.#chunk?.bytes ?? 0) + this.#filled;
  }

  #writePiece(): void {
    this.#chunk ??= {
      file: openSync(join(this.#directory, String(this.#hashes.length)), 'w'),
      hash: createHash('sha256'),
      bytes: 0,
    };
    const { file, hash } = this.#chunk;
    const piece = this.#piece.subarray(0, this.#filled);
    for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
    fdatasyncSync(file);
    this.#whole.update(piece);
    hash.update(piece);
    this.#chunk.bytes += piece.length;
    this.#filled = 0;
  }

  #endChunk(): void {
    const { file, hash } = this.#chunk!;
    closeSync(file);
    this.#hashes.push(hash.digest());
    this.#chunk = undefined;
  }
}
