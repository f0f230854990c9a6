import { BAD_JUMP, GAS, POLL_GAS, STACK_TOP } from '../memory/layout.ts';
import { CodeMap } from './codeMap.ts';
import type { ForkedCode } from './forkedCode.ts';
import { IMPORTS, importOf } from './imports.ts';
import { encodeModule, type ModuleFunction, type Signature } from './moduleBinary.ts';
import { TraceTranslator } from './traceTranslator.ts';
import { FRAME, I32_LOCALS, V128_LOCALS } from './traceWriter.ts';
import { I32, I64, WASM, WasmBody } from './wasmBody.ts';

const TRACE: Signature = { takes: [I32, I32, I64], gives: [I32] };
const NO_LOCALS = { i32: 0, v128: 0, i64: 0 };
/** Of a module: what is larger costs more than it saves, and is made to. */
const MAX_BYTES = 2_000_000;
const OWN_FUNCTIONS = ['run', 'turn', 'badJump'] as const;

/** A code as WebAssembly: its module, and by where a frame may go on the index that `run` takes. */
export interface Translation {
  readonly module: Uint8Array;
  readonly entries: ReadonlyMap<number, number>;
}

/**
 * Translates EVM bytecode. A function for each place that a frame may begin or go on at, or a jump may go to; they
 * call each other at their ends, so that no depth comes of it. `run(frame, index)` goes on with a frame; it gives a
 * status (layout.ts), INTERPRET when the interpreter has to go on from the frame's record. `undefined` for a code
 * whose translation would be out of proportion: it stays interpreted.
 */
export function translate({ code, fork }: ForkedCode): Translation | undefined {
  const first = IMPORTS.length + OWN_FUNCTIONS.length;
  const map = new CodeMap({ code, fork }, { turn: IMPORTS.length + OWN_FUNCTIONS.indexOf('turn'), first });
  let bytes = 0;
  const traces: ModuleFunction[] = [];
  for (const entry of map.entries) {
    const translator = new TraceTranslator(map, entry);
    translator.translate();
    const { body, i64Locals } = translator.writer;
    const locals = { i32: I32_LOCALS, v128: V128_LOCALS, i64: i64Locals };
    traces.push({ signature: TRACE, locals, code: body.bytes });
    bytes += body.bytes.length;
    if (bytes > MAX_BYTES) return undefined;
  }
  const badJump = OWN_FUNCTIONS.indexOf('badJump');
  const table = new Array<number>(code.length).fill(badJump);
  for (const pc of map.jumpDests) table[pc] = map.functionOf(pc) - IMPORTS.length;
  const entries = new Map(map.jumpDests.map((pc) => [pc, pc]));
  for (const pc of map.resumes) entries.set(pc, table.push(map.functionOf(pc) - IMPORTS.length) - 1);
  const functions = [runFunction(), turnFunction(), badJumpFunction(), ...traces];
  const module = encodeModule({ imports: IMPORTS, functions, table, exported: { name: 'run', index: 0 } });
  return { module, entries };
}

function runFunction(): ModuleFunction {
  const body = new WasmBody();
  setFloor(body, () => body.get(FRAME).memory(WASM.i64Load, GAS));
  body.get(FRAME).get(FRAME).memory(WASM.i32Load, STACK_TOP).get(FRAME).memory(WASM.i64Load, GAS).get(1);
  body.op(WASM.returnCallIndirect, 0, 0);
  return { signature: { takes: [I32, I32], gives: [I32] }, locals: NO_LOCALS, code: body.bytes };
}

/** Asks the host whether to go on, and sets the gas at which it is asked again: the global, never below zero. */
function turnFunction(): ModuleFunction {
  const body = new WasmBody();
  body.op(WASM.call, importOf('tick')).op(WASM.drop);
  setFloor(body, () => body.get(0));
  return { signature: { takes: [I64], gives: [] }, locals: NO_LOCALS, code: body.bytes };
}

function setFloor(body: WasmBody, gas: () => void): void {
  gas();
  body.i64(BigInt(POLL_GAS)).op(WASM.i64Sub).i64(0n);
  gas();
  body.i64(BigInt(POLL_GAS)).op(WASM.i64GtS).op(WASM.select).op(WASM.globalSet, 0);
}

function badJumpFunction(): ModuleFunction {
  return { signature: TRACE, locals: NO_LOCALS, code: new WasmBody().i32(BAD_JUMP).bytes };
}
