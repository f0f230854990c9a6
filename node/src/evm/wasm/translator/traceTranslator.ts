import { instructionOf, Op, opcodesOf } from '../../instructions/index.ts';
import { BAD_JUMP, DONE_STOP, MEMORY, PROGRAM_COUNTER, STACK_BOTTOM } from '../memory/layout.ts';
import { anyBits } from './arithmetic.ts';
import type { CodeMap } from './codeMap.ts';
import { GasSegments } from './gasSegments.ts';
import { TraceExits } from './traceExits.ts';
import { TraceMemory } from './traceMemory.ts';
import { TraceOpcodes } from './traceOpcodes.ts';
import { FRAME, GAS_LEFT, MEMORY_AT, TOP, TraceWriter, WORD_BYTES } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';
import { constantOf, type KnownWord } from './word.ts';

const STACK_LIMIT = 1024;
/** Opcodes of one trace, jumps followed. */
const TRACE_OPCODES = 200;

/** Opcodes that `runRare` does and that leave the frame, for a while or for good. */
const LEAVING = opcodesOf('call', 'creation', 'end');

/**
 * Translates one way through the code: from an entry straight on and along known jumps, until it ends, leaves the
 * frame, comes round, or jumps where only the run can tell. Whatever is irregular goes to the interpreter.
 */
export class TraceTranslator {
  readonly writer = new TraceWriter();
  readonly #code: CodeMap;
  readonly #entry: number;
  readonly #exits = new TraceExits(this.writer);
  readonly #memory: TraceMemory;
  readonly #segments: GasSegments;
  readonly #opcodes: TraceOpcodes;
  /** Places that the trace has passed: coming round is a jump, not more code. */
  readonly #seen = new Set<number>();
  #height = 0;
  #least = 0;
  #most = 0;
  #nesting = 0;

  constructor(code: CodeMap, entry: number) {
    this.#code = code;
    this.#entry = entry;
    this.#segments = new GasSegments(this.writer, this.#exits, code.turnFunction);
    this.#memory = new TraceMemory(this.writer, this.#exits, this.#segments);
    const parts = { exits: this.#exits, memory: this.#memory, segments: this.#segments };
    this.#opcodes = new TraceOpcodes(this.writer, parts);
  }

  translate(): void {
    const { body } = this.writer;
    body.get(FRAME).memory(WASM.i32Load, MEMORY).set(MEMORY_AT);
    this.#memory.renew();
    body.loop();
    const least = this.#checkHeight();
    this.#segments.open(this.#entry);
    this.#follow();
    body.op(WASM.unreachable).op(WASM.end).op(WASM.unreachable);
    body.patch(least.low, Math.min(WORD_BYTES * this.#least, 2 ** 20));
    body.patch(least.span, Math.max(0, WORD_BYTES * (STACK_LIMIT - this.#most - this.#least)));
  }

  #follow(): void {
    let pc: number | undefined = this.#entry;
    for (let count = 0; pc !== undefined; count++) {
      const isLong = count >= TRACE_OPCODES || this.#code.isSpent;
      if (count > 0 && this.#code.isEntry(pc) && (isLong || this.#seen.has(pc))) {
        this.#segments.close();
        this.#jumpTo(pc);
        return;
      }
      if (count >= 4 * TRACE_OPCODES) {
        this.#segments.close();
        this.#exits.interpretAt(pc);
        return;
      }
      this.#code.spent++;
      this.#seen.add(pc);
      pc = this.#opcode(pc);
    }
  }

  /** Writes one opcode; gives where the trace goes on. */
  #opcode(pc: number): number | undefined {
    const opcode = this.#code.opcodeAt(pc);
    if (!this.#code.has(opcode)) {
      this.#segments.close();
      this.#exits.interpretAt(pc);
      return undefined;
    }
    if (opcode === Op.SSTORE) this.#segments.split(pc);
    this.#account(opcode);
    if (opcode >= Op.PUSH0 && opcode <= Op.PUSH32) {
      this.writer.pushConstant(this.#code.pushed(pc));
      return pc + 1 + opcode - Op.PUSH0;
    }
    if (opcode >= Op.DUP1 && opcode <= Op.DUP16) this.writer.duplicate(1 + opcode - Op.DUP1);
    else if (opcode >= Op.SWAP1 && opcode <= Op.SWAP16) this.writer.swap(1 + opcode - Op.SWAP1);
    else if (opcode === Op.JUMP) return this.#jump(pc);
    else if (opcode === Op.JUMPI) return this.#branch(pc);
    else if (LEAVING.has(opcode)) return this.#leave(pc, opcode);
    else this.#opcodes.write(pc, opcode);
    return pc + 1;
  }

  #leave(pc: number, opcode: number): undefined {
    const { body } = this.writer;
    this.#segments.close();
    if (opcode === Op.STOP) {
      this.#exits.leave(pc, DONE_STOP);
      return undefined;
    }
    this.writer.settle();
    body.get(FRAME).i32(pc).memory(WASM.i32Store, PROGRAM_COUNTER);
    this.#opcodes.callRare(opcode);
    body.op(WASM.return);
    return undefined;
  }

  #jump(pc: number): number | undefined {
    const target = this.writer.pop();
    const known = constantOf(target);
    if (known === undefined) {
      this.#segments.close();
      this.#jumpAnywhere(pc, target);
      return undefined;
    }
    if (!this.#code.isJumpDest(known)) {
      this.#segments.close();
      this.#exits.fail(pc, BAD_JUMP);
      return undefined;
    }
    return Number(known);
  }

  #branch(pc: number): number | undefined {
    const { writer } = this;
    const target = writer.pop();
    const condition = writer.pop();
    const isTaken = constantOf(condition);
    if (isTaken === 0n) return pc + 1;
    this.#segments.close();
    const to = constantOf(target);
    const jump = (): void => {
      if (to === undefined) this.#jumpAnywhere(pc, target);
      else if (this.#code.isJumpDest(to)) this.#jumpTo(Number(to));
      else this.#exits.fail(pc, BAD_JUMP);
    };
    if (isTaken !== undefined) {
      jump();
      return undefined;
    }
    anyBits(writer, condition);
    writer.body.op(WASM.i64Eqz).op(WASM.i32Eqz);
    this.#nesting++;
    writer.body.when(jump);
    this.#nesting--;
    this.#segments.open(pc + 1);
    return pc + 1;
  }

  /** Goes on in the trace of a JUMPDEST; round again when it is this one. */
  #jumpTo(pc: number): void {
    const { writer } = this;
    const { body } = writer;
    const moved = writer.spill();
    if (pc === this.#entry) {
      writer.moveTop(moved);
      body.op(WASM.br, this.#nesting);
      return;
    }
    body
      .get(FRAME)
      .get(TOP)
      .i32(WORD_BYTES * moved)
      .op(WASM.i32Add)
      .get(GAS_LEFT);
    body.op(WASM.returnCall, this.#code.functionOf(pc));
  }

  #jumpAnywhere(pc: number, target: KnownWord): void {
    const { writer } = this;
    const { body } = writer;
    anyBits(writer, { limbs: [0n, target.limbs[1], target.limbs[2], target.limbs[3]] });
    body.i64(0n).op(WASM.i64Ne);
    writer.limb(target.limbs[0]).i64(BigInt(this.#code.length)).op(WASM.i64GeU).op(WASM.i32Or);
    body.when(() => this.#exits.fail(pc, BAD_JUMP));
    const moved = writer.spill();
    body
      .get(FRAME)
      .get(TOP)
      .i32(WORD_BYTES * moved)
      .op(WASM.i32Add)
      .get(GAS_LEFT);
    writer.limb(target.limbs[0]).op(WASM.i32WrapI64).op(WASM.returnCallIndirect, 0, 0);
  }

  /** Stack rules of the whole trace at once; the interpreter tells which opcode breaks them. */
  #checkHeight(): { low: number; span: number } {
    const { body } = this.writer;
    body.get(TOP).get(FRAME).memory(WASM.i32Load, STACK_BOTTOM).op(WASM.i32Sub);
    const low = body.laterI32();
    body.op(WASM.i32Sub);
    const span = body.laterI32();
    body.op(WASM.i32GtU).when(() => this.#exits.interpretAt(this.#entry));
    return { low, span };
  }

  #account(opcode: number): void {
    const { takes, gives, gas } = instructionOf(opcode);
    this.#least = Math.max(this.#least, takes - this.#height);
    this.#height += gives - takes;
    this.#most = Math.max(this.#most, this.#height);
    this.#segments.add(gas);
  }
}
