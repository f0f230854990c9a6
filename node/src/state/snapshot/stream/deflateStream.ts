import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { Adler32 } from './adler32.ts';

const deflateElsewhere = promisify(deflateRaw);
const deflateHere = async (block: Uint8Array, options: ZlibOptions): Promise<Uint8Array> =>
  deflateRawSync(block, options);

/**
 * Level 4 makes state rows 0.3 % larger than level 7 does, in half of its time; the larger hash table costs memory
 * only. Readers do not see it.
 */
const EFFORT = { level: 4, memLevel: 9 };
/** Room for most blocks in one go: for each more, zlib has to come back to this thread. */
const OUTPUT_BYTES = 1 << 19;
/** CM 8, a window of 32 KiB, level bits 2, no preset dictionary. */
const HEADER = Uint8Array.of(0x78, 0x9c);
/** An empty last block. */
const END = Uint8Array.of(0x03, 0x00);
const WINDOW_BYTES = 32_768;

/**
 * One zlib stream over blocks that are compressed side by side: each knows the 32 KiB before it and ends on a byte
 * boundary, so that the pieces join. The bytes follow from the blocks alone, whatever the parallelism.
 */
export class DeflateStream {
  readonly #parallel: number;
  readonly #deflate: (block: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #checksum = new Adler32();
  #window: Uint8Array = new Uint8Array(0);
  #running = 0;
  #tail: Promise<void>;

  /** `parallel` = 0 compresses on the calling thread. `onBytes` is called in order. A failure of it, or of the compression, is thrown by `room` and `finish`. */
  constructor(options: { readonly parallel: number }, onBytes: (bytes: Uint8Array) => void) {
    this.#parallel = options.parallel;
    this.#deflate = options.parallel === 0 ? deflateHere : deflateElsewhere;
    this.#onBytes = onBytes;
    this.#tail = Promise.resolve().then(() => onBytes(HEADER));
    this.#tail.catch(() => undefined);
  }

  get isFull(): boolean {
    return this.#running > this.#parallel;
  }

  /** Takes the block over: it must not change any more. */
  write(block: Uint8Array): void {
    const dictionary = this.#window;
    const compressed = this.#deflate(block, {
      ...EFFORT,
      chunkSize: OUTPUT_BYTES,
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(dictionary.length > 0 && { dictionary }),
    });
    this.#running++;
    this.#checksum.update(block);
    this.#window =
      block.length >= WINDOW_BYTES
        ? block.slice(-WINDOW_BYTES)
        : Buffer.concat([dictionary, block]).subarray(-WINDOW_BYTES);
    this.#tail = Promise.all([this.#tail, compressed]).then(([, bytes]) => {
      this.#running--;
      this.#onBytes(bytes);
    });
    this.#tail.catch(() => undefined);
  }

  /** Resolves when there is room for another block. */
  async room(): Promise<void> {
    while (this.isFull) await this.#tail;
  }

  async finish(): Promise<void> {
    await this.#tail;
    this.#onBytes(END);
    this.#onBytes(this.#checksum.digest());
  }
}
