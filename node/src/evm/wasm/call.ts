import { bytesToHex } from '../../primitives/index.ts';
import { delegationTarget } from '../delegation.ts';
import type { Call, ExecutionScope } from './executionScope.ts';
import { type Frame, freeAbove, openFrame } from './frame.ts';
import {
  ASKED_GAS,
  CODE,
  GAS,
  IS_STATIC,
  OUTPUT,
  OUTPUT_LENGTH,
  PROGRAM_COUNTER,
  RETURN_LENGTH,
  STACK_TOP,
} from './layout.ts';
import type { Outcome } from './outcome.ts';
import { runPrecompile } from './precompileCall.ts';

const CALL = 0xf1;
const CALLCODE = 0xf2;
const DELEGATECALL = 0xf4;
const STATICCALL = 0xfa;

const WARM_ACCOUNT = 100;
const COLD_ACCOUNT = 2_600;
const VALUE_GAS = 9_000;
const NEW_ACCOUNT = 25_000;
const STIPEND = 2_300;
const DELEGATION_BYTES = 23;

/** CALL and its kin. An outcome when nothing is to run; `OUT_OF_GAS` text is the frame's own failure. */
export function callByOpcode(
  execution: ExecutionScope,
  frame: Frame,
): Outcome | Promise<Outcome> | undefined | 'unpaid' {
  const { memory } = execution;
  const { record } = frame;
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  const top = memory.u32(record + STACK_TOP);
  const target = memory.wordBytes(top - 64, 20);
  const value = opcode === CALL || opcode === CALLCODE ? memory.word(top - 96) : 0n;
  const gas = payForCall(execution, frame, { opcode, target, value });
  if (gas === undefined) return 'unpaid';
  memory.setU32(RETURN_LENGTH, 0);
  const { state } = execution.host;
  if (execution.isDeepest) return { error: 'max call depth exceeded', gasLeft: gas };
  if (value > 0n && state.balance(frame.self) < value) {
    return { error: 'insufficient balance for transfer', gasLeft: gas };
  }
  const isDelegated = opcode === DELEGATECALL || opcode === CALLCODE;
  const isDelegate = opcode === DELEGATECALL;
  return beginCall(execution, frame, {
    self: isDelegated ? frame.self : target,
    caller: isDelegate ? frame.caller : frame.self,
    codeAddress: target,
    value: isDelegate ? frame.value : value,
    isStatic: opcode === STATICCALL || memory.u32(record + IS_STATIC) === 1,
    isDelegated,
    gas,
    input: { at: memory.u32(record + OUTPUT), length: memory.u32(record + OUTPUT_LENGTH) },
  });
}

/** Takes the call's price and gas from the frame; gives the gas that the callee gets. */
function payForCall(
  execution: ExecutionScope,
  { record }: Frame,
  { opcode, target, value }: { opcode: number; target: Uint8Array; value: bigint },
): number | undefined {
  const { memory } = execution;
  const { state } = execution.host;
  let gas = memory.i64(record + GAS) - (accessPrice(execution, target) - WARM_ACCOUNT);
  const delegate = delegateOf(execution, target);
  if (delegate) gas -= accessPrice(execution, delegate);
  if (value > 0n) gas -= VALUE_GAS;
  if (value > 0n && opcode === CALL && state.isEmpty(target)) gas -= NEW_ACCOUNT;
  if (gas < 0) return undefined;
  const given = Math.min(memory.i64(record + ASKED_GAS), gas - Math.floor(gas / 64));
  memory.setI64(record + GAS, gas - given);
  return value > 0n ? given + STIPEND : given;
}

function accessPrice({ host: { state } }: ExecutionScope, address: Uint8Array): number {
  if (state.isWarmAddress(address)) return WARM_ACCOUNT;
  state.warmAddress(address);
  return COLD_ACCOUNT;
}

/** The account that another delegates to (EIP-7702). */
function delegateOf({ host: { state } }: ExecutionScope, address: Uint8Array): Uint8Array | undefined {
  return state.codeSize(address) === DELEGATION_BYTES ? delegationTarget(state.code(address)) : undefined;
}

/** Moves the value and opens the callee's frame, or runs the precompile; an outcome when there is no code. */
export function beginCall(
  execution: ExecutionScope,
  parent: Frame | undefined,
  call: Call,
): Outcome | Promise<Outcome> | undefined {
  const { memory, journal } = execution;
  const { self, caller, value, gas, isStatic, input } = call;
  execution.host.interrupt?.();
  const mark = journal.mark();
  if (!call.isDelegated) execution.transfer(caller, self, value);
  const precompile = execution.precompileOf(bytesToHex(call.codeAddress));
  if (precompile) return runPrecompile(execution, precompile, call, mark);
  const code = execution.codeOf(delegateOf(execution, call.codeAddress) ?? call.codeAddress);
  if (!code) return { error: undefined, gasLeft: gas };
  const memoryAt = freeAbove(memory, parent, parent ? 0 : input.length);
  const start = { self, caller, value, created: undefined, mark, code, gas, isStatic, input, memoryAt };
  execution.push(openFrame(memory, parent, { ...start, owner: journal.ownerOf(self) }));
  return undefined;
}
