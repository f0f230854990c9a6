import {
  PRECOMPILE_OUT_OF_GAS,
  type StandardOutcome,
  standardErrorOf,
} from '../ethereumjs/standardPrecompiles.ts';
import type { EvmHost } from '../evmEngine.ts';
import type { Precompile } from '../precompile/precompile.ts';
import type { AnyPrecompile } from './anyPrecompile.ts';
import type { ExecutionScope } from './executionScope.ts';
import type { Mark } from './frame.ts';
import { RETURN_BYTES, RETURN_DATA, RETURN_LENGTH } from './layout.ts';
import { NoRoom } from './noRoom.ts';
import type { Outcome } from './outcome.ts';
import type { Call } from './plannedCall.ts';

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
    return finish(execution, runOwn(execution, precompile, data, call), { ...call, data }, mark);
  const given = precompile(data, gasLimit);
  if (given instanceof Promise)
    return given.then((outcome) => finish(execution, outcome, { ...call, data }, mark));
  return finish(execution, given, { ...call, data }, mark);
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
  if (gasUsed > gasLimit) return { ...PRECOMPILE_OUT_OF_GAS, gasUsed: gasLimit };
  if (status === 'success') execution.journal.logs.push(...(logs ?? []));
  return { isSuccess: status === 'success', gasUsed, output: returnData, failure: undefined };
}

interface WatchedCall extends Call {
  readonly data: Uint8Array;
}

function errorOf(
  outcome: StandardOutcome,
  { callee, data, gas }: WatchedCall,
  host: EvmHost,
): string | undefined {
  return standardErrorOf(outcome, { to: callee.address, data, gasLimit: BigInt(gas) }, host);
}

function finish(execution: ExecutionScope, outcome: StandardOutcome, call: WatchedCall, mark: Mark): Outcome {
  const { isSuccess, gasUsed, output } = outcome;
  if (!isSuccess) execution.journal.revertTo(mark);
  const error = errorOf(outcome, call, execution.host);
  execution.watch?.exit({ error, output, gasUsed: Number(gasUsed) });
  if (output.length > RETURN_BYTES) throw new NoRoom('return data');
  execution.memory.bytes.set(output, RETURN_DATA);
  execution.memory.setU32(RETURN_LENGTH, output.length);
  return { error, gasLeft: call.gas - Number(gasUsed) };
}
