import type { WebAssemblyMemory } from '../../../primitives/index.ts';

/** A WebAssembly memory as bytes and words. The views follow the memory when WebAssembly makes it grow. */
export class LinearMemory {
  readonly memory: WebAssemblyMemory;
  #bytes: Uint8Array;
  #numbers: Uint32Array;
  #limbs: BigUint64Array;

  constructor(memory: WebAssemblyMemory) {
    this.memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#numbers = new Uint32Array(memory.buffer);
    this.#limbs = new BigUint64Array(memory.buffer);
  }

  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#renew();
    return this.#bytes;
  }

  /** By address / 4. */
  get numbers(): Uint32Array {
    if (this.#numbers.length === 0) this.#renew();
    return this.#numbers;
  }

  u32(at: number): number {
    return this.numbers[at >>> 2]!;
  }

  setU32(at: number, value: number): void {
    this.numbers[at >>> 2] = value;
  }

  /** A signed 64-bit number that is safe. */
  i64(at: number): number {
    const { numbers } = this;
    return numbers[at >>> 2]! + (numbers[(at >>> 2) + 1]! | 0) * 0x1_0000_0000;
  }

  setI64(at: number, value: number): void {
    const { numbers } = this;
    numbers[at >>> 2] = value >>> 0;
    numbers[(at >>> 2) + 1] = Math.floor(value / 0x1_0000_0000) >>> 0;
  }

  isZeroWord(at: number): boolean {
    const { numbers } = this;
    for (let i = at >>> 2; i < (at >>> 2) + 8; i++) if (numbers[i] !== 0) return false;
    return true;
  }

  isSameWord(a: number, b: number): boolean {
    const { numbers } = this;
    for (let i = 0; i < 8; i++) if (numbers[(a >>> 2) + i] !== numbers[(b >>> 2) + i]) return false;
    return true;
  }

  word(at: number): bigint {
    const limbs = this.#freshLimbs();
    const i = at >>> 3;
    const upper = (limbs[i + 3]! << 64n) | limbs[i + 2]!;
    const lower = (limbs[i + 1]! << 64n) | limbs[i]!;
    return upper === 0n ? lower : (upper << 128n) | lower;
  }

  setWord(at: number, value: bigint): void {
    const limbs = this.#freshLimbs();
    const i = at >>> 3;
    limbs[i] = value;
    limbs[i + 1] = value >> 64n;
    limbs[i + 2] = value >> 128n;
    limbs[i + 3] = value >> 192n;
  }

  setSmallWord(at: number, value: number): void {
    const { numbers } = this;
    const i = at >>> 2;
    numbers[i] = value;
    numbers[i + 1] = Math.floor(value / 0x1_0000_0000);
    for (let zero = i + 2; zero < i + 8; zero++) numbers[zero] = 0;
  }

  /** The last `length` bytes of a word, big-endian: 20 are an address. */
  wordBytes(at: number, length: number): Uint8Array {
    const { bytes } = this;
    const out = new Uint8Array(length);
    for (let i = 0, from = at + length - 1; i < length; i++, from--) out[i] = bytes[from]!;
    return out;
  }

  /** Big-endian bytes, at most 32, as a word. */
  setWordBytes(at: number, value: Uint8Array): void {
    const { bytes } = this;
    const { length } = value;
    for (let i = 0, to = at + length - 1; i < length; i++, to--) bytes[to] = value[i]!;
    if (length < 32) bytes.fill(0, at + length, at + 32);
  }

  copyWord(to: number, from: number): void {
    const { numbers } = this;
    for (let i = 0; i < 8; i++) numbers[(to >>> 2) + i] = numbers[(from >>> 2) + i]!;
  }

  slice(at: number, length: number): Uint8Array {
    return this.bytes.slice(at, at + length);
  }

  #freshLimbs(): BigUint64Array {
    if (this.#limbs.length === 0) this.#renew();
    return this.#limbs;
  }

  #renew(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#numbers = new Uint32Array(this.memory.buffer);
    this.#limbs = new BigUint64Array(this.memory.buffer);
  }
}
