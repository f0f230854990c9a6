import { accessAccount, WAS_COLD } from './accounts';
import * as Op from '../../src/evm/instructions/opcodes';
import { balance, blockHash, codeHash, codeSize, copyCode, log } from './host';
import {
  ASKED_GAS, CALL_GAS, CODE, CODE_LENGTH, DONE_DESTROY, DONE_RETURN, DONE_REVERT, GAS, GOES_ON, INIT_CODE_SIZE, INPUT,
  INIT_WORD_GAS, INPUT_LENGTH, IS_STATIC, MEMORY, MAX_INIT_CODE, OUTPUT, OUTPUT_LENGTH, OUT_OF_GAS, RETURN_DATA, RETURN_LENGTH,
  RETURN_OUT_OF_BOUNDS, SELF, STACK_TOP, WANTED, WANTED_LENGTH, WANTS_CALL, WANTS_CREATE, WRITE_PROTECTED,
} from '../../src/evm/wasm/memory/layout';
import { copyPadded, expand, offsetOf, wordsOf } from './memory';
import { loadTransient, storeTransient } from './storage';
import { copy, l0, l1, l2, l3, readBytes } from './word';

const COLD_ACCOUNT: i64 = 2500;
const FOREVER: i64 = 0x3fffffffffffffff;

/**
 * Opcodes that ask the host, copy memory or end a frame. Constant gas and heights are checked. The new top and what
 * is left of the gas go to the frame's record, unless the opcode fails.
 */
export function runRare(frame: u32, op: u32, top: u32, gas: i64): u32 {
  if (op == Op.BALANCE || op == Op.EXTCODESIZE || op == Op.EXTCODEHASH) return readAccount(frame, op, top, gas);
  if (op == Op.CALLDATACOPY || op == Op.CODECOPY || op == Op.RETURNDATACOPY || op == Op.MCOPY) return copyBytes(frame, op, top, gas);
  if (op == Op.EXTCODECOPY) return copyForeignCode(frame, top, gas);
  if (op == Op.BLOCKHASH) {
    blockHash(top - 32);
    return GOES_ON;
  }
  if (op == Op.SELFBALANCE) {
    copy(top, frame + SELF);
    balance(top);
    return goOn(frame, top + 32, gas);
  }
  if (op == Op.TLOAD) {
    loadTransient(frame, top - 32);
    return GOES_ON;
  }
  if (op == Op.TSTORE) return writeTransient(frame, top, gas);
  if (op >= <u32>Op.LOG0 && op <= <u32>Op.LOG4) return writeLog(frame, op - <u32>Op.LOG0, top, gas);
  if (op == Op.CREATE || op == Op.CREATE2) return prepareCreation(frame, op, top, gas);
  if (op == Op.RETURN || op == Op.REVERT) {
    const left = prepareOutput(frame, offsetOf(top - 32), offsetOf(top - 64), gas);
    if (left < 0) return OUT_OF_GAS;
    store<i64>(frame, left, GAS);
    return op == Op.RETURN ? DONE_RETURN : DONE_REVERT;
  }
  if (op == Op.SELFDESTRUCT) return DONE_DESTROY;
  return prepareCall(frame, op, top, gas);
}

// @ts-ignore: decorator
@inline
function goOn(frame: u32, top: u32, gas: i64): u32 {
  store<u32>(frame, top, STACK_TOP);
  store<i64>(frame, gas, GAS);
  return GOES_ON;
}

function readAccount(frame: u32, op: u32, top: u32, gas: i64): u32 {
  const account = top - 32;
  const left = accessAccount(account) == WAS_COLD ? gas - COLD_ACCOUNT : gas;
  if (left < 0) return OUT_OF_GAS;
  if (op == Op.BALANCE) balance(account);
  else if (op == Op.EXTCODESIZE) codeSize(account);
  else codeHash(account);
  return goOn(frame, top, left);
}

/** CALLDATACOPY, CODECOPY, RETURNDATACOPY and MCOPY: to, from, length. */
function copyBytes(frame: u32, op: u32, top: u32, gas: i64): u32 {
  const to = offsetOf(top - 32), from = offsetOf(top - 64), length = offsetOf(top - 96);
  let left = expand(frame, op == Op.MCOPY ? max<u64>(to, from) : to, length, gas);
  if (left >= 0) left -= <i64>(3 * wordsOf(length));
  if (left < 0) return OUT_OF_GAS;
  if (op == Op.RETURNDATACOPY && from + length > <u64>load<u32>(RETURN_LENGTH)) return RETURN_OUT_OF_BOUNDS;
  if (length > 0) {
    const at = load<u32>(frame, MEMORY), size = <u32>length;
    const target = at + <u32>to;
    if (op == Op.CALLDATACOPY) copyPadded(target, size, load<u32>(frame, INPUT), load<u32>(frame, INPUT_LENGTH), from);
    else if (op == Op.CODECOPY) copyPadded(target, size, load<u32>(frame, CODE), load<u32>(frame, CODE_LENGTH), from);
    else if (op == Op.RETURNDATACOPY) memory.copy(target, RETURN_DATA + <u32>from, size);
    else memory.copy(target, at + <u32>from, size);
  }
  return goOn(frame, top - 96, left);
}

function copyForeignCode(frame: u32, top: u32, gas: i64): u32 {
  const to = offsetOf(top - 64), from = offsetOf(top - 96), length = offsetOf(top - 128);
  let left = expand(frame, to, length, gas);
  if (left >= 0) left -= <i64>(3 * wordsOf(length));
  if (left < 0) return OUT_OF_GAS;
  if (accessAccount(top - 32) == WAS_COLD) left -= COLD_ACCOUNT;
  if (left < 0) return OUT_OF_GAS;
  copyCode(top - 32, load<u32>(frame, MEMORY) + <u32>to, <u32>from, <u32>length);
  return goOn(frame, top - 128, left);
}

function writeTransient(frame: u32, top: u32, gas: i64): u32 {
  if (load<u32>(frame, IS_STATIC) != 0) return WRITE_PROTECTED;
  storeTransient(frame, top - 32, top - 64);
  return goOn(frame, top - 64, gas);
}

function writeLog(frame: u32, topics: u32, top: u32, gas: i64): u32 {
  const from = offsetOf(top - 32), length = offsetOf(top - 64);
  let left = expand(frame, from, length, gas);
  if (left >= 0) left -= <i64>(8 * length);
  if (left < 0) return OUT_OF_GAS;
  if (load<u32>(frame, IS_STATIC) != 0) return WRITE_PROTECTED;
  log(topics, load<u32>(frame, MEMORY) + <u32>from, <u32>length, top);
  return goOn(frame, top - 64 - (topics << 5), left);
}

/** Pays for a range and makes it the frame's output. */
function prepareOutput(frame: u32, from: u64, length: u64, gas: i64): i64 {
  const left = expand(frame, from, length, gas);
  if (left < 0) return left;
  store<u32>(frame, length == 0 ? 0 : load<u32>(frame, MEMORY) + <u32>from, OUTPUT);
  store<u32>(frame, <u32>length, OUTPUT_LENGTH);
  return left;
}

function prepareCreation(frame: u32, op: u32, top: u32, gas: i64): u32 {
  const length = offsetOf(top - 96);
  if (length > <u64>load<u32>(MAX_INIT_CODE)) return INIT_CODE_SIZE;
  let left = prepareOutput(frame, offsetOf(top - 64), length, gas);
  if (left >= 0) left -= <i64>(((op == Op.CREATE ? 0 : 6) + <u64>load<u32>(INIT_WORD_GAS)) * wordsOf(length));
  if (left < 0) return OUT_OF_GAS;
  if (load<u32>(frame, IS_STATIC) != 0) return WRITE_PROTECTED;
  store<i64>(frame, left, GAS);
  return WANTS_CREATE;
}

/** Pays for a call's ranges of input and output, and tells them and the asked gas to the host. */
function prepareCall(frame: u32, op: u32, top: u32, gas: i64): u32 {
  store<i64>(frame, gas, CALL_GAS);
  const input = top - (op == Op.CALL || op == Op.CALLCODE ? 128 : 96);
  const wanted = offsetOf(input - 64), wantedLength = offsetOf(input - 96);
  let left = prepareOutput(frame, offsetOf(input), offsetOf(input - 32), gas);
  if (left >= 0) left = expand(frame, wanted, wantedLength, left);
  if (left < 0) return OUT_OF_GAS;
  store<u32>(frame, <u32>wanted, WANTED);
  store<u32>(frame, <u32>wantedLength, WANTED_LENGTH);
  const asked = top - 32;
  const isHuge = (l1(asked) | l2(asked) | l3(asked)) != 0 || l0(asked) > <u64>FOREVER;
  store<i64>(frame, isHuge ? FOREVER : <i64>l0(asked), ASKED_GAS);
  store<i64>(frame, left, GAS);
  return WANTS_CALL;
}

/** CALLDATALOAD: replaces an offset by the word of input there. */
export function readInput(frame: u32, word: u32): void {
  const from = offsetOf(word), length = load<u32>(frame, INPUT_LENGTH), input = load<u32>(frame, INPUT);
  if (from + 32 <= <u64>length) {
    readBytes(word, input + <u32>from);
    return;
  }
  copyPadded(word, 32, input, length, from);
  readBytes(word, word);
}
