import { mapKeyOf } from '../../../primitives/index.ts';
import { delegationTarget } from '../../delegation.ts';
import { Op } from '../../instructions/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import { CODES, CODES_BYTES } from '../memory/layout.ts';
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

/** Deployed codes, kept by their hash until the room for them is used up. */
export class CodeCache {
  readonly #memory: LinearMemory;
  readonly #placed = new Map<string, PlacedCode>();
  #next = CODES;

  constructor(memory: LinearMemory) {
    this.#memory = memory;
  }

  /** `undefined` when there is no room; `makeRoom` may be called once nothing runs. */
  place(hash: Uint8Array, read: () => Uint8Array): PlacedCode | undefined {
    const key = mapKeyOf(hash);
    const known = this.#placed.get(key);
    if (known) return known;
    const code = read();
    const size = placedBytes(code.length);
    if (this.#next + size > CODES + CODES_BYTES) return undefined;
    const placed = placeCode(this.#memory, this.#next, code, key);
    this.#next += size;
    this.#placed.set(key, placed);
    return placed;
  }

  makeRoom(): void {
    if (this.#next - CODES < CODES_BYTES / 2) return;
    this.#placed.clear();
    this.#next = CODES;
  }
}
