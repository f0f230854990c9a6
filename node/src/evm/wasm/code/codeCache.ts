import { mapKeyOf } from '../../../primitives/index.ts';
import { delegationTarget } from '../../delegation.ts';
import { Op } from '../../instructions/index.ts';
import { type LinearMemory, NoRoom } from '../memory/index.ts';
import {
  CHUNK_BYTES,
  CHUNK_CODES,
  CHUNK_CODES_BYTES,
  CHUNKS,
  CODES,
  CODES_BYTES,
  MAX_CHUNKS,
} from '../memory/layout.ts';
import type { PlacedCode } from './placedCode.ts';

/** Behind each code: what a push reads beyond its end, and an end by STOP. */
const PADDING = 64;

/** Bytes that a code takes once it is placed. */
export function placedBytes(length: number): number {
  return (length + PADDING + ((length + 7) >>> 3) + 15) & ~15;
}

/** Writes code, zeros behind it, and the map of its jump destinations to `at`. */
export function placeCode(memory: LinearMemory, at: number, code: Uint8Array, key?: string): PlacedCode {
  const { bytes } = memory;
  const { length } = code;
  const jumpDests = at + length + PADDING;
  bytes.set(code, at);
  bytes.fill(0, at + length, at + placedBytes(length));
  for (let i = 0; i < length; i++) {
    const opcode = code[i]!;
    if (opcode === Op.JUMPDEST) bytes[jumpDests + (i >>> 3)]! |= 1 << (i & 7);
    else if (opcode >= Op.PUSH1 && opcode <= Op.PUSH32) i += opcode - Op.PUSH0;
  }
  return { key, at, length, jumpDests, delegate: delegationTarget(code), compiled: undefined };
}

/** Deployed codes, kept by their hash until half of the room for them is used up; one message may have more. */
export class CodeCache {
  readonly #memory: LinearMemory;
  readonly #reserveChunk: (chunk: number) => void;
  readonly #placed = new Map<string, PlacedCode>();
  #next = CODES;
  #end = CODES + CODES_BYTES;
  /** Chunks that hold codes. */
  #chunks = 0;

  /** `reserveChunk` as the runtime has it. */
  constructor(memory: LinearMemory, reserveChunk: (chunk: number) => void) {
    this.#memory = memory;
    this.#reserveChunk = reserveChunk;
  }

  /** Throws NoRoom; `makeRoom` may be called once nothing runs. */
  place(hash: Uint8Array, read: () => Uint8Array): PlacedCode {
    const key = mapKeyOf(hash);
    const known = this.#placed.get(key);
    if (known) return known;
    const code = read();
    const size = placedBytes(code.length);
    if (this.#next + size > this.#end) this.#goOnInChunk(size);
    const placed = placeCode(this.#memory, this.#next, code, key);
    this.#next += size;
    this.#placed.set(key, placed);
    return placed;
  }

  makeRoom(): void {
    if (this.#chunks === 0 && this.#next - CODES < CODES_BYTES / 2) return;
    this.#placed.clear();
    this.#next = CODES;
    this.#end = CODES + CODES_BYTES;
    this.#chunks = 0;
  }

  #goOnInChunk(size: number): void {
    if (this.#chunks >= MAX_CHUNKS || size > CHUNK_CODES_BYTES) throw new NoRoom('code');
    this.#reserveChunk(this.#chunks);
    this.#next = CHUNKS + CHUNK_BYTES * this.#chunks++ + CHUNK_CODES;
    this.#end = this.#next + CHUNK_CODES_BYTES;
  }
}
