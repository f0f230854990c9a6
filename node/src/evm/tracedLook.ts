import { bigintToFixedBytes, equalBytes } from '../primitives/index.ts';
import { create2Address, createAddress } from './contractAddress.ts';
import type { TracedLook, TracedState, TracedStep } from './evmTracer.ts';
import { Op, opcodesOf } from './instructions/index.ts';

const ACCOUNT_OPCODES = opcodesOf('account');
const CALLS = opcodesOf('call');
const CREATIONS = opcodesOf('creation');
const SLOTS = opcodesOf('storage');
const WORD_BYTES = 32;

/** What the opcode of a step looks at, if it does and can be paid. */
export function lookOf(step: TracedStep, state: TracedState): TracedLook | undefined {
  const { opcode, address, error } = step;
  if (error !== undefined) return undefined;
  const account = (depth: number): Uint8Array => addressOfWord(step.stack.at(-1 - depth)!);
  if (SLOTS.has(opcode)) {
    return { kind: 'slot', address, slot: bigintToFixedBytes(step.stack.at(-1)!, WORD_BYTES) };
  }
  if (ACCOUNT_OPCODES.has(opcode)) {
    const other = account(0);
    return equalBytes(other, address) ? undefined : { kind: 'account', address: other };
  }
  if (CALLS.has(opcode)) return { kind: 'call', address: account(1) };
  if (opcode === Op.SELFDESTRUCT) return { kind: 'destruction', address, heir: account(0) };
  if (!CREATIONS.has(opcode)) return undefined;
  return { kind: 'creation', address: createdBy(step, state) };
}

function createdBy({ opcode, stack, address, memory }: TracedStep, state: TracedState): Uint8Array {
  if (opcode === Op.CREATE) return createAddress(address, state.nonce(address));
  const [offset, length, salt] = [stack.at(-2)!, stack.at(-3)!, stack.at(-4)!];
  const initCode = paddedCopy(memory, Number(offset), Number(length));
  return create2Address(address, bigintToFixedBytes(salt, WORD_BYTES), initCode);
}

/** Of a word, the last 20 bytes. */
export function addressOfWord(word: bigint): Uint8Array {
  return bigintToFixedBytes(BigInt.asUintN(160, word), 20);
}

/** Memory grows when the opcode runs: what lies beyond it now is zero. */
function paddedCopy(memory: Uint8Array, offset: number, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  copy.set(memory.subarray(offset, offset + length));
  return copy;
}
