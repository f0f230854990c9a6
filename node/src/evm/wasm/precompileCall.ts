import type { StandardOutcome } from '../ethereumjs/standardPrecompiles.ts';
import type { Precompile } from '../precompile/precompile.ts';
import type { AnyPrecompile } from './anyPrecompile.ts';
import type { Call, ExecutionScope } from './executionScope.ts';
import type { Mark } from './frame.ts';
import { RETURN_BYTES, RETURN_DATA, RETURN_LENGTH } from './layout.ts';
import { NoRoom } from './noRoom.ts';
import type { Outcome } from './outcome.ts';

/** Runs a precompile in a frame of its own that began at `mark`. */
export function runPrecompile(
  execution: ExecutionScope,
  precompile: AnyPrecompile,
  call: Call,
  mark: Mark,
): Outcome | Promise<Outcome> {
  execution.host.interrupt?.();
  const data = execution.memory.slice(call.inputAt, call.inputLength);
  const gasLimit = BigInt(call.gas);
  if (typeof precompile !== 'function')
    return finish(execution, runOwn(execution, precompile, data, call), call, mark);
  const given = precompile(data, gasLimit);
  if (given instanceof Promise) return given.then((outcome) => finish(execution, outcome, call, mark));
  return finish(execution, given, call, mark);
}

function runOwn(
  execution: ExecutionScope,
  precompile: Precompile,
  data: Uint8Array,
  call: Call,
): StandardOutcome {
  const { state, block } = execution.host;
  const { value, isStatic, isDelegated, gas } = call;
  const gasLimit = BigInt(gas);
  const context = { caller: call.caller.address, value, isStatic, isDelegated, gasLimit, state, block };
  const { status, returnData, gasUsed, logs } = precompile.run(data, context);
  // It may have made a contract.
  execution.accounts.noteCodeChange();
  if (gasUsed > gasLimit) return { isSuccess: false, gasUsed: gasLimit, output: new Uint8Array(0) };
  if (status === 'success') execution.journal.logs.push(...(logs ?? []));
  return { isSuccess: status === 'success', gasUsed, output: returnData };
}

function finish(
  execution: ExecutionScope,
  { isSuccess, gasUsed, output }: StandardOutcome,
  { gas }: Call,
  mark: Mark,
): Outcome {
  if (!isSuccess) execution.journal.revertTo(mark);
  if (output.length > RETURN_BYTES) throw new NoRoom('return data');
  execution.memory.bytes.set(output, RETURN_DATA);
  execution.memory.setU32(RETURN_LENGTH, output.length);
  return { error: isSuccess ? undefined : 'execution reverted', gasLeft: gas - Number(gasUsed) };
}
