import { createHash, hash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CHUNK_BYTES } from '../description.ts';

/** Cuts compressed bytes into the chunk files of a directory, synced, and hashes them. */
export class ChunkWriter {
  readonly #directory: string;
  readonly #whole = createHash('sha256');
  readonly #hashes: Uint8Array[] = [];
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #filled = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === CHUNK_BYTES) this.#turn();
    }
  }

  finish(): { readonly hash: Uint8Array; readonly chunkHashes: readonly Uint8Array[] } {
    if (this.#filled > 0) this.#turn();
    return { hash: this.#whole.digest(), chunkHashes: this.#hashes };
  }

  #turn(): void {
    const chunk = this.#chunk.subarray(0, this.#filled);
    const file = openSync(join(this.#directory, String(this.#hashes.length)), 'w');
    try {
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#whole.update(chunk);
    this.#hashes.push(hash('sha256', chunk, 'buffer'));
    this.#filled = 0;
  }
}
