import { appendAll } from '../../../primitives/index.ts';
import type { Precompile } from '../../precompile/precompile.ts';
import { NO_BYTES, runStandard, type StandardOutcome } from '../../standard/standardPrecompile.ts';
import type { Call, MessageScope, Outcome } from '../frames/index.ts';
import { NoRoom } from '../memory/index.ts';
import { RETURN_BYTES, RETURN_DATA, RETURN_LENGTH } from '../memory/layout.ts';
import type { AnyPrecompile, Mark } from '../tables/index.ts';

/** Runs a precompile in a frame of its own that began at `mark`. */
export function runPrecompile(
  execution: MessageScope,
  precompile: AnyPrecompile,
  call: Call,
  mark: Mark,
): Outcome | Promise<Outcome> {
  const { interrupt, block } = execution.host;
  const { inputAt, inputLength } = call;
  if (!('gas' in precompile)) {
    interrupt?.();
    const input = execution.memory.slice(inputAt, inputLength);
    return finish(execution, runOwn(execution, precompile, input, call), call, mark);
  }
  // Where it lies: a standard precompile that runs at once keeps nothing of its input.
  const input = precompile.preparing?.()
    ? execution.memory.slice(inputAt, inputLength)
    : execution.memory.bytes.subarray(inputAt, inputAt + inputLength);
  const given = runStandard(precompile, { input, gasLimit: BigInt(call.gas), fork: block.fork, interrupt });
  return given instanceof Promise
    ? given.then((outcome) => finish(execution, outcome, call, mark))
    : finish(execution, given, call, mark);
}

function runOwn(
  execution: MessageScope,
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
  if (gasUsed > gasLimit) return { gasUsed: gasLimit, output: NO_BYTES, error: 'out of gas' };
  if (status === 'success') appendAll(execution.journal.logs, logs ?? []);
  return { gasUsed, output: returnData, error: status === 'success' ? undefined : 'execution reverted' };
}

function finish(execution: MessageScope, outcome: StandardOutcome, call: Call, mark: Mark): Outcome {
  const { gasUsed, output, error } = outcome;
  if (error !== undefined) execution.journal.revertTo(mark);
  // A tracer keeps it, and it may lie in memory of the frame that calls.
  execution.watch?.exit({ error, output: output.slice(), gasUsed: Number(gasUsed) });
  if (output.length > RETURN_BYTES) throw new NoRoom('return data');
  execution.memory.bytes.set(output, RETURN_DATA);
  execution.memory.setU32(RETURN_LENGTH, output.length);
  return { error, gasLeft: call.gas - Number(gasUsed) };
}
