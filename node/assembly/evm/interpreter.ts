import {
  addModulo, byteLength, divide, divideSigned, modulo, moduloSigned, multiplyModulo, power,
} from './division';
import * as Op from '../../src/evm/instructions/opcodes';
import { tick } from './host';
import { keccak256 } from './keccak';
import {
  BAD_JUMP, BAD_OPCODE, BASE_FEE, BLOB_BASE_FEE, CALLER, CALL_VALUE, CHAIN_ID, CODE, CODE_LENGTH, COINBASE,
  DONE_STOP, GAS, GAS_LIMIT, GAS_PRICE, GOES_ON, INTERPRET, INPUT_LENGTH, IS_STATIC, JUMP_DESTS, MEMORY,
  MEMORY_SIZE, NO_OPCODE, NUMBER, ORIGIN, OUT_OF_GAS, OUT_OF_GAS_PLAIN, PREV_RANDAO, PROGRAM_COUNTER, RETURN_LENGTH, RULES, SELF,
  SENTRY, STACK_BOTTOM, STACK_OVERFLOW, STACK_TOP, STACK_UNDERFLOW, TIMESTAMP, POLL_GAS, WRITE_PROTECTED,
} from '../../src/evm/wasm/memory/layout';
import { expand, offsetOf, wordsOf } from './memory';
import { readInput, runRare } from './rare';
import { loadStorage, storeStorage } from './storage';
import {
  add, byteAt, copy, isEqual, isLess, isLessSigned, isZero, l0, l1, l2, l3, leadingZeros, multiply, put, readBytes, shiftLeftBy,
  shiftRightBy, shiftSignedBy, signExtend, subtract, swapBytes, writeBytes,
} from './word';

const SSTORE_SENTRY: i64 = 2300;

/** A part of the `size` bytes that end at `end`, as limb number `limb`. */
// @ts-expect-error: decorator
@inline
function pushed(end: u32, size: i32, limb: i32): u64 {
  const left = size - 8 * limb;
  if (left <= 0) return 0;
  const bytes = swapBytes(load<u64>(end - 8 * (limb + 1)));
  return left >= 8 ? bytes : bytes & (((<u64>1) << (8 * left)) - 1);
}

// @ts-expect-error: decorator
@inline
function truth(at: u32, value: bool): void {
  put(at, <u64>value, 0, 0, 0);
}

/** Runs a frame until it ends or wants something of the host; gives why (layout.ts), with all else in its record. */
export function run(frame: u32): u32 {
  return go<u32>(frame);
}

/** The same for one opcode alone: GOES_ON when the frame does. */
export function step(frame: u32): u32 {
  return go<bool>(frame);
}

/** `Steps`: `bool` for one opcode, so that `run` is compiled without asking. */
// @ts-expect-error: decorator
@inline
function go<Steps>(frame: u32): u32 {
  const code = load<u32>(frame, CODE);
  const bottom = load<u32>(frame, STACK_BOTTOM);
  const memoryAt = load<u32>(frame, MEMORY);
  let at = code + load<u32>(frame, PROGRAM_COUNTER);
  let top = load<u32>(frame, STACK_TOP);
  let gas = load<i64>(frame, GAS);
  let asked = gas;
  let status: u32 = 0;
  let isDone = false;
  while (true) {
    if (isBoolean<Steps>()) {
      if (isDone) {
        status = GOES_ON;
        break;
      }
      isDone = true;
    }
    const op = <u32>load<u8>(at);
    const rule = RULES + (op << 3);
    const height = (top - bottom) >> 5;
    const price = load<u32>(rule, 4);
    if (height < <u32>load<u16>(rule)) {
      status = STACK_UNDERFLOW;
      break;
    }
    if (height > <u32>load<u16>(rule, 2)) {
      status = STACK_OVERFLOW;
      break;
    }
    if (price == NO_OPCODE) {
      status = BAD_OPCODE;
      break;
    }
    gas -= <i64>price;
    if (gas < 0) {
      status = OUT_OF_GAS_PLAIN;
      break;
    }
    const a = top - 32, b = top - 64, c = top - 96;
    if (op >= <u32>Op.PUSH1 && op <= <u32>Op.PUSH32) {
      const size = <i32>op - Op.PUSH0;
      at += size + 1;
      if (size == 1) put(top, <u64>load<u8>(at - 1), 0, 0, 0);
      else put(top, pushed(at, size, 0), pushed(at, size, 1), pushed(at, size, 2), pushed(at, size, 3));
      top += 32;
      continue;
    }
    if (op >= <u32>Op.DUP1 && op <= <u32>Op.DUP16) {
      copy(top, top - ((op - (<u32>Op.DUP1 - 1)) << 5));
      top += 32;
      at++;
      continue;
    }
    if (op >= <u32>Op.SWAP1 && op <= <u32>Op.SWAP16) {
      const other = a - ((op - (<u32>Op.SWAP1 - 1)) << 5);
      const x0 = l0(a), x1 = l1(a), x2 = l2(a), x3 = l3(a);
      copy(a, other);
      put(other, x0, x1, x2, x3);
      at++;
      continue;
    }
    switch (op) {
      case Op.STOP: status = DONE_STOP; break;
      case Op.ADD: add(b, a, b); top = a; at++; continue;
      case Op.MUL: multiply(b, a, b); top = a; at++; continue;
      case Op.SUB: subtract(b, a, b); top = a; at++; continue;
      case Op.DIV: divide(b, a, b); top = a; at++; continue;
      case Op.SDIV: divideSigned(b, a, b); top = a; at++; continue;
      case Op.MOD: modulo(b, a, b); top = a; at++; continue;
      case Op.SMOD: moduloSigned(b, a, b); top = a; at++; continue;
      case Op.ADDMOD: addModulo(c, a, b, c); top = b; at++; continue;
      case Op.MULMOD: multiplyModulo(c, a, b, c); top = b; at++; continue;
      case Op.EXP: {
        const left = gas - 50 * <i64>byteLength(b);
        if (left < 0) { gas = left; status = OUT_OF_GAS; break; }
        gas = left;
        power(b, a, b);
        top = a; at++; continue;
      }
      case Op.SIGNEXTEND: signExtend(b, a, b); top = a; at++; continue;
      case Op.LT: truth(b, isLess(a, b)); top = a; at++; continue;
      case Op.GT: truth(b, isLess(b, a)); top = a; at++; continue;
      case Op.SLT: truth(b, isLessSigned(a, b)); top = a; at++; continue;
      case Op.SGT: truth(b, isLessSigned(b, a)); top = a; at++; continue;
      case Op.EQ: truth(b, isEqual(a, b)); top = a; at++; continue;
      case Op.ISZERO: truth(a, isZero(a)); at++; continue;
      case Op.AND: put(b, l0(a) & l0(b), l1(a) & l1(b), l2(a) & l2(b), l3(a) & l3(b)); top = a; at++; continue;
      case Op.OR: put(b, l0(a) | l0(b), l1(a) | l1(b), l2(a) | l2(b), l3(a) | l3(b)); top = a; at++; continue;
      case Op.XOR: put(b, l0(a) ^ l0(b), l1(a) ^ l1(b), l2(a) ^ l2(b), l3(a) ^ l3(b)); top = a; at++; continue;
      case Op.NOT: put(a, ~l0(a), ~l1(a), ~l2(a), ~l3(a)); at++; continue;
      case Op.BYTE: byteAt(b, a, b); top = a; at++; continue;
      case Op.SHL: shiftLeftBy(b, a, b); top = a; at++; continue;
      case Op.SHR: shiftRightBy(b, a, b); top = a; at++; continue;
      case Op.SAR: shiftSignedBy(b, a, b); top = a; at++; continue;
      case Op.CLZ: leadingZeros(a, a); at++; continue;
      case Op.KECCAK256: {
        const from = offsetOf(a), length = offsetOf(b);
        let left = expand(frame, from, length, gas);
        if (left >= 0) left -= <i64>(6 * wordsOf(length));
        if (left < 0) { gas = left; status = OUT_OF_GAS; break; }
        gas = left;
        keccak256(b, length == 0 ? memoryAt : memoryAt + <u32>from, <u32>length);
        top = a; at++; continue;
      }
      case Op.ADDRESS: copy(top, frame + SELF); top += 32; at++; continue;
      case Op.ORIGIN: copy(top, ORIGIN); top += 32; at++; continue;
      case Op.CALLER: copy(top, frame + CALLER); top += 32; at++; continue;
      case Op.CALLVALUE: copy(top, frame + CALL_VALUE); top += 32; at++; continue;
      case Op.CALLDATALOAD: readInput(frame, a); at++; continue;
      case Op.CALLDATASIZE: put(top, <u64>load<u32>(frame, INPUT_LENGTH), 0, 0, 0); top += 32; at++; continue;
      case Op.CODESIZE: put(top, <u64>load<u32>(frame, CODE_LENGTH), 0, 0, 0); top += 32; at++; continue;
      case Op.GASPRICE: copy(top, GAS_PRICE); top += 32; at++; continue;
      case Op.RETURNDATASIZE: put(top, <u64>load<u32>(RETURN_LENGTH), 0, 0, 0); top += 32; at++; continue;
      case Op.COINBASE: copy(top, COINBASE); top += 32; at++; continue;
      case Op.TIMESTAMP: copy(top, TIMESTAMP); top += 32; at++; continue;
      case Op.NUMBER: copy(top, NUMBER); top += 32; at++; continue;
      case Op.DIFFICULTY: copy(top, PREV_RANDAO); top += 32; at++; continue;
      case Op.GASLIMIT: copy(top, GAS_LIMIT); top += 32; at++; continue;
      case Op.CHAINID: copy(top, CHAIN_ID); top += 32; at++; continue;
      case Op.BASEFEE: copy(top, BASE_FEE); top += 32; at++; continue;
      case Op.BLOBHASH: put(a, 0, 0, 0, 0); at++; continue;
      case Op.BLOBBASEFEE: copy(top, BLOB_BASE_FEE); top += 32; at++; continue;
      case Op.POP: top = a; at++; continue;
      case Op.MLOAD: {
        const from = offsetOf(a);
        const left = expand(frame, from, 32, gas);
        if (left < 0) { gas = left; status = OUT_OF_GAS; break; }
        gas = left;
        readBytes(a, memoryAt + <u32>from);
        at++; continue;
      }
      case Op.MSTORE: {
        const to = offsetOf(a);
        const left = expand(frame, to, 32, gas);
        if (left < 0) { gas = left; status = OUT_OF_GAS; break; }
        gas = left;
        writeBytes(memoryAt + <u32>to, b);
        top = b; at++; continue;
      }
      case Op.MSTORE8: {
        const to = offsetOf(a);
        const left = expand(frame, to, 1, gas);
        if (left < 0) { gas = left; status = OUT_OF_GAS; break; }
        gas = left;
        store<u8>(memoryAt + <u32>to, <u8>l0(b));
        top = b; at++; continue;
      }
      case Op.SLOAD: {
        const paid = loadStorage(frame, a);
        gas -= paid;
        if (gas < 0) { status = OUT_OF_GAS; break; }
        at++; continue;
      }
      case Op.SSTORE: {
        if (gas <= SSTORE_SENTRY) { status = SENTRY; break; }
        const paid = storeStorage(frame, a, b, gas);
        gas -= paid;
        if (gas < 0) { status = OUT_OF_GAS; break; }
        // What was written goes with the frame.
        if (load<u32>(frame, IS_STATIC) != 0) { status = WRITE_PROTECTED; break; }
        top = b; at++; continue;
      }
      case Op.JUMP:
      case Op.JUMPI: {
        if (op == Op.JUMPI && isZero(b)) {
          top = b; at++; continue;
        }
        const to = offsetOf(a);
        if (to >= <u64>load<u32>(frame, CODE_LENGTH)) { status = BAD_JUMP; break; }
        const bit = load<u8>(load<u32>(frame, JUMP_DESTS) + (<u32>to >> 3)) >> <u8>(to & 7);
        if ((bit & 1) == 0) { status = BAD_JUMP; break; }
        top = op == Op.JUMP ? a : b;
        at = code + <u32>to;
        if (asked - gas > <i64>POLL_GAS) {
          asked = gas;
          if (tick() != 0) {
            status = INTERPRET;
            break;
          }
        }
        continue;
      }
      case Op.PC: put(top, <u64>(at - code), 0, 0, 0); top += 32; at++; continue;
      case Op.MSIZE: put(top, <u64>load<u32>(frame, MEMORY_SIZE), 0, 0, 0); top += 32; at++; continue;
      case Op.GAS: put(top, <u64>gas, 0, 0, 0); top += 32; at++; continue;
      case Op.JUMPDEST: at++; continue;
      case Op.PUSH0: put(top, 0, 0, 0, 0); top += 32; at++; continue;
      default: status = GOES_ON;
    }
    if (status != GOES_ON) break;
    // What is rare, or asks the host: this function stays small, so that it compiles well.
    store<u32>(frame, top, STACK_TOP);
    store<i64>(frame, gas, GAS);
    status = runRare(frame, op, top, gas);
    top = load<u32>(frame, STACK_TOP);
    gas = load<i64>(frame, GAS);
    if (status != GOES_ON) break;
    at++;
  }
  store<u32>(frame, at - code, PROGRAM_COUNTER);
  store<u32>(frame, top, STACK_TOP);
  store<i64>(frame, gas, GAS);
  return status;
}
