import { hash } from 'node:crypto';
import { type CompressFour, createCompressFour } from './compressFour.ts';

/** Takes the digest of the message that was reserved with `tag`: 32 bytes of `memory` at `offset`. */
export type DigestSink = (tag: number, memory: Uint8Array, offset: number) => void;

/** Longest message, in blocks, that is hashed four at a time; longer ones go one by one. */
const MAX_BLOCKS = 8;
const DIGESTS = 0;
const LANES = 128;

/**
 * SHA-256 of many short messages: they are gathered by block count and hashed in fours. A message is written
 * straight into the hash memory, so there is no allocation for each.
 */
export class DigestBatch {
  readonly memory: Uint8Array;
  readonly #compress: CompressFour;
  readonly #filled = new Uint8Array(MAX_BLOCKS + 1);
  readonly #tags = new Float64Array(4 * (MAX_BLOCKS + 1));

  constructor() {
    this.#compress = createCompressFour();
    this.memory = this.#compress.memory;
  }

  /**
   * Where to write the `length` bytes of the next message; they must be written before the next call. `sink`
   * may be called first, for messages reserved earlier. Undefined when the message is too long for the batch:
   * then use `single`.
   */
  reserve(length: number, tag: number, sink: DigestSink): number | undefined {
    const blocks = (length + 72) >>> 6;
    if (blocks > MAX_BLOCKS) return undefined;
    if (this.#filled[blocks] === 4) this.#run(blocks, sink);
    const lane = this.#filled[blocks]!++;
    this.#tags[4 * blocks + lane] = tag;
    const start = regionOf(blocks) + lane * blocks * 64;
    pad(this.memory, start, length, start + blocks * 64);
    return start;
  }

  single(message: Uint8Array, tag: number, sink: DigestSink): void {
    sink(tag, hash('sha256', message, 'buffer'), 0);
  }

  /** Hands out every digest still owed. */
  flush(sink: DigestSink): void {
    for (let blocks = 1; blocks <= MAX_BLOCKS; blocks++) {
      if (this.#filled[blocks]! > 0) this.#run(blocks, sink);
    }
  }

  #run(blocks: number, sink: DigestSink): void {
    this.#compress.run(regionOf(blocks), blocks, DIGESTS);
    const count = this.#filled[blocks]!;
    this.#filled[blocks] = 0;
    for (let lane = 0; lane < count; lane++) {
      sink(this.#tags[4 * blocks + lane]!, this.memory, DIGESTS + 32 * lane);
    }
  }
}

/** Four lanes of `blocks` blocks each, behind those of all smaller counts. */
const regionOf = (blocks: number): number => LANES + 128 * blocks * (blocks - 1);

function pad(memory: Uint8Array, start: number, length: number, end: number): void {
  memory[start + length] = 0x80;
  for (let i = start + length + 1; i < end - 4; i++) memory[i] = 0;
  const bits = length * 8;
  memory[end - 4] = bits >>> 24;
  memory[end - 3] = bits >>> 16;
  memory[end - 2] = bits >>> 8;
  memory[end - 1] = bits;
}
