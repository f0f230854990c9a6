import type { FrameKind } from '../../evmTracer.ts';
import { Op } from '../../instructions/index.ts';
import type { Call, MessageScope } from '../frames/index.ts';
import {
  BALANCE_ERROR,
  DEPTH_ERROR,
  type Frame,
  freeAbove,
  type Outcome,
  openFrame,
} from '../frames/index.ts';
import {
  ASKED_GAS,
  CALL_GAS,
  CODE,
  GAS,
  IS_STATIC,
  OUT_OF_GAS,
  OUTPUT,
  OUTPUT_LENGTH,
  PROGRAM_COUNTER,
  RETURN_LENGTH,
  STACK_TOP,
  WRITE_PROTECTED,
} from '../memory/layout.ts';
import type { Account } from '../tables/index.ts';
import { calleeGas, callGas, handedOnGas, isLookPaid, type PricedCall } from './callPrice.ts';
import { runPrecompile } from './precompileCall.ts';

const KINDS: Readonly<Record<number, FrameKind>> = {
  [Op.CALL]: 'CALL',
  [Op.CALLCODE]: 'CALLCODE',
  [Op.DELEGATECALL]: 'DELEGATECALL',
  [Op.STATICCALL]: 'STATICCALL',
};
const STIPEND = 2_300;
const UNPAID = -1;

/** CALL and its kin. An outcome when nothing is to run; a status is the frame's own failure. */
export function callByOpcode(
  execution: MessageScope,
  frame: Frame,
): Outcome | Promise<Outcome> | undefined | number {
  const { memory } = execution;
  const { record, self } = frame;
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  const top = memory.u32(record + STACK_TOP);
  const callee = execution.accounts.at(top - 64);
  const mayPay = opcode === Op.CALL || opcode === Op.CALLCODE;
  const value = mayPay && !memory.isZeroWord(top - 96) ? memory.word(top - 96) : 0n;
  const gas = payForCall(execution, frame, { isCall: opcode === Op.CALL, callee, value });
  if (gas === UNPAID) return OUT_OF_GAS;
  execution.watch?.look({ kind: 'call', address: callee.address });
  const isStatic = memory.u32(record + IS_STATIC) === 1;
  if (isStatic && opcode === Op.CALL && value > 0n) return WRITE_PROTECTED;
  memory.setU32(RETURN_LENGTH, 0);
  const isDelegated = opcode === Op.DELEGATECALL || opcode === Op.CALLCODE;
  const isDelegate = opcode === Op.DELEGATECALL;
  const call: Call = {
    kind: KINDS[opcode]!,
    self: isDelegated ? self : callee,
    caller: isDelegate ? frame.caller : self,
    callee,
    value: isDelegate ? frame.value : value,
    isStatic: isStatic || opcode === Op.STATICCALL,
    isDelegated,
    gas,
    inputAt: memory.u32(record + OUTPUT),
    inputLength: memory.u32(record + OUTPUT_LENGTH),
  };
  const refusal = refusalOf(execution, self, value);
  if (!refusal) return beginCall(execution, frame, call);
  execution.watch?.enterCall(execution, call);
  execution.watch?.exit({ error: refusal, gasUsed: 0 });
  return { error: refusal, gasLeft: gas };
}

function refusalOf({ isDeepest, host }: MessageScope, payer: Account, value: bigint): string | undefined {
  if (isDeepest) return DEPTH_ERROR;
  return value > 0n && host.state.balance(payer.address) < value ? BALANCE_ERROR : undefined;
}

/** Whether a call whose frame is out of gas could not even pay for the look at its callee. */
export function isAccessUnpaid({ memory, accounts }: MessageScope, { record }: Frame): boolean {
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  if (!KINDS[opcode] || memory.i64(record + GAS) < 0) return false;
  const callee = accounts.at(memory.u32(record + STACK_TOP) - 64);
  const gas = memory.i64(record + CALL_GAS);
  return !isLookPaid(accounts, callee, gas) || calleeGas(accounts, callee) > gas;
}

/** Takes the call's price and gas from the frame; gives the gas that the callee gets, or UNPAID. */
function payForCall(execution: MessageScope, { record }: Frame, call: PricedCall): number {
  const { memory, accounts } = execution;
  const { callee, value } = call;
  const before = memory.i64(record + GAS);
  if (!isLookPaid(accounts, callee, before)) return UNPAID;
  const gas = before - callGas(execution, call);
  if (gas < 0) return UNPAID;
  accounts.warm(callee);
  const { delegate } = accounts.targetOf(callee);
  if (delegate) accounts.warm(delegate);
  const given = handedOnGas(memory.i64(record + ASKED_GAS), gas);
  memory.setI64(record + GAS, gas - given);
  return value > 0n ? given + STIPEND : given;
}

/** Moves the value and opens the callee's frame, or runs the precompile; an outcome when there is no code. */
export function beginCall(
  execution: MessageScope,
  parent: Frame | undefined,
  call: Call,
): Outcome | Promise<Outcome> | undefined {
  const { memory, journal, accounts } = execution;
  const { self, caller, callee, value, gas, isStatic, inputAt, inputLength } = call;
  execution.countCall();
  execution.watch?.enterCall(execution, call);
  const mark = journal.mark();
  if (!call.isDelegated && value > 0n) execution.transfer(caller.address, self.address, value);
  const { precompile, delegate, code: own } = accounts.targetOf(callee);
  if (precompile) return runPrecompile(execution, precompile, call, mark);
  const code = delegate ? accounts.targetOf(delegate).code : own;
  if (!code) {
    execution.watch?.exit({ error: undefined, gasUsed: 0 });
    return { error: undefined, gasLeft: gas };
  }
  const memoryAt = freeAbove(memory, parent, parent ? 0 : inputLength);
  const start = { self, caller, value, created: undefined, mark, code, gas, isStatic };
  execution.push(openFrame(memory, parent, { ...start, inputAt, inputLength, memoryAt }));
  return undefined;
}
