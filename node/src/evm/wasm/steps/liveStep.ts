import type { TracedStep } from '../../evmTracer.ts';
import type { Frame } from '../frames/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  GAS,
  MEMORY,
  MEMORY_SIZE,
  PROGRAM_COUNTER,
  RETURN_DATA,
  RETURN_LENGTH,
  STACK_BOTTOM,
  STACK_TOP,
} from '../memory/layout.ts';

const WORD_BYTES = 32;

/** What is known of a step besides where its frame stands. */
export interface StepFacts {
  /** 1 in the transaction's own frame. */
  readonly depth: number;
  readonly opcode: number;
  readonly gasCost: bigint;
  readonly refund: bigint;
  readonly error: string | undefined;
}

/** A step over linear memory: what nobody reads of stack and memory is not copied. */
export class LiveStep implements TracedStep {
  readonly depth: number;
  readonly programCounter: number;
  readonly opcode: number;
  readonly gas: bigint;
  readonly gasCost: bigint;
  readonly refund: bigint;
  readonly address: Uint8Array;
  readonly error: string | undefined;
  readonly #memory: LinearMemory;
  readonly #bottom: number;
  readonly #top: number;
  readonly #memoryAt: number;
  readonly #memorySize: number;
  #stackRead: readonly bigint[] | undefined;
  #memoryRead: Uint8Array | undefined;
  #returnDataRead: Uint8Array | undefined;

  constructor(memory: LinearMemory, { record, self }: Frame, facts: StepFacts) {
    this.depth = facts.depth;
    this.programCounter = memory.u32(record + PROGRAM_COUNTER);
    this.opcode = facts.opcode;
    this.gas = BigInt(memory.i64(record + GAS));
    this.gasCost = facts.gasCost;
    this.refund = facts.refund;
    this.address = self.address;
    this.error = facts.error;
    this.#memory = memory;
    this.#bottom = memory.u32(record + STACK_BOTTOM);
    this.#top = memory.u32(record + STACK_TOP);
    this.#memoryAt = memory.u32(record + MEMORY);
    this.#memorySize = memory.u32(record + MEMORY_SIZE);
  }

  get stack(): readonly bigint[] {
    this.#stackRead ??= this.#readStack();
    return this.#stackRead;
  }

  get memory(): Uint8Array {
    this.#memoryRead ??= this.#memory.slice(this.#memoryAt, this.#memorySize);
    return this.#memoryRead;
  }

  get returnData(): Uint8Array {
    this.#returnDataRead ??= this.#memory.slice(RETURN_DATA, this.#memory.u32(RETURN_LENGTH));
    return this.#returnDataRead;
  }

  #readStack(): bigint[] {
    const words: bigint[] = [];
    for (let at = this.#bottom; at < this.#top; at += WORD_BYTES) words.push(this.#memory.word(at));
    return words;
  }
}
