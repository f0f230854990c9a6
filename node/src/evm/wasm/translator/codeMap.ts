import type { EvmFork } from '../../fork/evmFork.ts';
import { isInstruction, Op, opcodesOf } from '../../instructions/index.ts';
import type { ForkedCode } from './forkedCode.ts';

/** Behind these a frame goes on once it has an answer. */
const WAITING = opcodesOf('call', 'creation');
/** Opcodes that are translated, for each that the code has: traces overlap. */
const SPENT_FACTOR = 6;
const SPENT_LEAST = 2_000;

/** What the translation knows of a code: its opcodes, where traces begin, which function is whose. */
export class CodeMap {
  readonly length: number;
  readonly turnFunction: number;
  readonly jumpDests: readonly number[];
  /** Where frames go on, besides: the beginning, and behind calls. */
  readonly resumes: readonly number[];
  /** Opcodes translated so far. */
  spent = 0;
  readonly #code: Uint8Array;
  readonly #fork: EvmFork;
  readonly #functions = new Map<number, number>();
  readonly #jumpDests: ReadonlySet<number>;

  constructor({ code, fork }: ForkedCode, functions: { readonly turn: number; readonly first: number }) {
    this.#code = code;
    this.#fork = fork;
    this.length = code.length;
    this.turnFunction = functions.turn;
    const jumpDests: number[] = [];
    const resumes: number[] = [];
    for (let pc = 0; pc < code.length; pc++) {
      const opcode = code[pc]!;
      if (opcode === Op.JUMPDEST) jumpDests.push(pc);
      else if (WAITING.has(opcode)) resumes.push(pc + 1);
      else if (opcode >= Op.PUSH1 && opcode <= Op.PUSH32) pc += opcode - Op.PUSH0;
    }
    this.jumpDests = jumpDests;
    this.#jumpDests = new Set(jumpDests);
    this.resumes = [...new Set([0, ...resumes])].filter((pc) => !this.#jumpDests.has(pc));
    for (const pc of this.entries) this.#functions.set(pc, functions.first + this.#functions.size);
  }

  get entries(): readonly number[] {
    return [...this.jumpDests, ...this.resumes];
  }

  /** Whether enough has been translated: traces no longer follow jumps. */
  get isSpent(): boolean {
    return this.spent > SPENT_LEAST + SPENT_FACTOR * this.length;
  }

  /** Whether the fork has the opcode. */
  has(opcode: number): boolean {
    return isInstruction(opcode, this.#fork);
  }

  opcodeAt(pc: number): number {
    return this.#code[pc] ?? 0;
  }

  /** What the PUSH at `pc` pushes; beyond the end are zeros. */
  pushed(pc: number): bigint {
    const size = this.opcodeAt(pc) - Op.PUSH0;
    let value = 0n;
    for (let i = 1; i <= size; i++) value = (value << 8n) | BigInt(this.opcodeAt(pc + i));
    return value;
  }

  isJumpDest(target: bigint): boolean {
    return target < BigInt(this.length) && this.#jumpDests.has(Number(target));
  }

  isEntry(pc: number): boolean {
    return this.#functions.has(pc);
  }

  /** Index of the trace that begins there. */
  functionOf(pc: number): number {
    return this.#functions.get(pc)!;
  }
}
