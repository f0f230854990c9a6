/** From so many bytes on a piece is worth the memory that an object of its own takes. */
const LARGE_BYTES = 1024;
const BLOCK_BYTES = 8 * 1024;

/**
 * Bytes that arrive in pieces of any size. Who sends a body byte by byte, each in a chunk of its own, makes us hold a
 * few hundred bytes for each: small pieces are copied together, so that all take little more than their bytes.
 */
export class BodyPieces {
  #pieces: Buffer[] = [];
  #length = 0;
  /** Where small pieces are copied to; from `#start` to `#end` is no piece yet. */
  #block: Buffer | undefined;
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const isFirst = this.#length === 0;
    this.#length += piece.length;
    // Most bodies are one piece, which is not copied.
    if (isFirst || piece.length >= LARGE_BYTES) {
      this.#closePiece();
      this.#pieces.push(piece);
    } else this.#copy(piece);
  }

  /** All of them in one; nothing is held any more. */
  take(): Buffer {
    this.#closePiece();
    const pieces = this.#pieces;
    this.clear();
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  clear(): void {
    this.#pieces = [];
    this.#block = undefined;
    this.#length = 0;
    this.#start = 0;
    this.#end = 0;
  }

  #copy(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const copied = piece.copy(this.#block, this.#end, at);
      at += copied;
      this.#end += copied;
      if (this.#end < BLOCK_BYTES) return;
      this.#closePiece();
      this.#block = undefined;
      this.#start = 0;
      this.#end = 0;
    }
  }

  #closePiece(): void {
    if (this.#block && this.#end > this.#start)
      this.#pieces.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
