import type { Account } from './accounts.ts';
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

const COLD_SURCHARGE = 2_500;
const WARM_ACCOUNT = 100;
const VALUE_GAS = 9_000;
const NEW_ACCOUNT = 25_000;
const STIPEND = 2_300;
const UNPAID = -1;

/** CALL and its kin. An outcome when nothing is to run; `unpaid` is the frame's own failure. */
export function callByOpcode(
  execution: ExecutionScope,
  frame: Frame,
): Outcome | Promise<Outcome> | undefined | 'unpaid' {
  const { memory } = execution;
  const { record, self } = frame;
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  const top = memory.u32(record + STACK_TOP);
  const callee = execution.accounts.at(top - 64);
  const mayPay = opcode === CALL || opcode === CALLCODE;
  const value = mayPay && !memory.isZeroWord(top - 96) ? memory.word(top - 96) : 0n;
  const gas = payForCall(execution, frame, { isCall: opcode === CALL, callee, value });
  if (gas === UNPAID) return 'unpaid';
  memory.setU32(RETURN_LENGTH, 0);
  if (execution.isDeepest) return { error: 'max call depth exceeded', gasLeft: gas };
  if (value > 0n && execution.host.state.balance(self.address) < value) {
    return { error: 'insufficient balance for transfer', gasLeft: gas };
  }
  const isDelegated = opcode === DELEGATECALL || opcode === CALLCODE;
  const isDelegate = opcode === DELEGATECALL;
  return beginCall(execution, frame, {
    self: isDelegated ? self : callee,
    caller: isDelegate ? frame.caller : self,
    callee,
    value: isDelegate ? frame.value : value,
    isStatic: opcode === STATICCALL || memory.u32(record + IS_STATIC) === 1,
    isDelegated,
    gas,
    inputAt: memory.u32(record + OUTPUT),
    inputLength: memory.u32(record + OUTPUT_LENGTH),
  });
}

/** Takes the call's price and gas from the frame; gives the gas that the callee gets, or UNPAID. */
function payForCall(
  { memory, host, accounts }: ExecutionScope,
  { record }: Frame,
  { isCall, callee, value }: { readonly isCall: boolean; readonly callee: Account; readonly value: bigint },
): number {
  let gas = memory.i64(record + GAS) - (accounts.warm(callee) ? COLD_SURCHARGE : 0);
  const { delegate } = accounts.targetOf(callee);
  if (delegate) gas -= WARM_ACCOUNT + (accounts.warm(delegate) ? COLD_SURCHARGE : 0);
  if (value > 0n) {
    gas -= VALUE_GAS;
    if (isCall && host.state.isEmpty(callee.address)) gas -= NEW_ACCOUNT;
  }
  if (gas < 0) return UNPAID;
  const given = Math.min(memory.i64(record + ASKED_GAS), gas - Math.floor(gas / 64));
  memory.setI64(record + GAS, gas - given);
  return value > 0n ? given + STIPEND : given;
}

/** Moves the value and opens the callee's frame, or runs the precompile; an outcome when there is no code. */
export function beginCall(
  execution: ExecutionScope,
  parent: Frame | undefined,
  call: Call,
): Outcome | Promise<Outcome> | undefined {
  const { memory, journal, accounts } = execution;
  const { self, caller, callee, value, gas, isStatic, inputAt, inputLength } = call;
  execution.countCall();
  const mark = journal.mark();
  if (!call.isDelegated && value > 0n) execution.transfer(caller.address, self.address, value);
  const { precompile, delegate, code: own } = accounts.targetOf(callee);
  if (precompile) return runPrecompile(execution, precompile, call, mark);
  const code = delegate ? accounts.targetOf(delegate).code : own;
  if (!code) return { error: undefined, gasLeft: gas };
  const memoryAt = freeAbove(memory, parent, parent ? 0 : inputLength);
  const start = { self, caller, value, created: undefined, mark, code, gas, isStatic };
  execution.push(openFrame(memory, parent, { ...start, inputAt, inputLength, memoryAt }));
  return undefined;
}
