import { toHexData } from '../primitives/index.ts';
import { FlatCallTracer, type FlatFrame } from './flatCallTracer.ts';
import { muxTracer } from './muxTracer.ts';
import { StateDiffTracer } from './stateDiffTracer.ts';
import type { Tracer } from './tracer.ts';

/** What a replay in Parity's form shows beside the output. A structured clone. */
export interface ReplayParts {
  readonly trace: boolean;
  readonly stateDiff: boolean;
}

/** Parity's answer to a replay: the output, the flat trace and the changes of state; parts not asked for are empty. */
export function replayTracer({ trace, stateDiff }: ReplayParts): Tracer {
  const calls = new FlatCallTracer({ convertParityErrors: true }, {});
  const changes = stateDiff ? new StateDiffTracer() : undefined;
  const all = new Map<string, Tracer>([
    ['calls', calls],
    ...(changes ? ([['changes', changes]] as const) : []),
  ]);
  const { result: _result, dispose: _dispose, ...hooks } = muxTracer(all);
  return {
    ...hooks,
    result: () =>
      replayJson({
        output: calls.output,
        trace: trace ? calls.frames() : [],
        stateDiff: changes?.result(),
      }),
  };
}

interface ReplayShown {
  readonly output: Uint8Array;
  readonly trace: readonly FlatFrame[];
  /** JSON text. */
  readonly stateDiff?: string | undefined;
}

/** `trace` without the place of the transaction, as Parity shows it here. */
export function replayJson({ output, trace, stateDiff }: ReplayShown): string {
  const frames = JSON.stringify(trace.map(withoutPlace));
  return `{"output":"${toHexData(output)}","stateDiff":${stateDiff ?? 'null'},"trace":${frames},"vmTrace":null}`;
}

function withoutPlace({
  blockHash: _blockHash,
  blockNumber: _blockNumber,
  transactionHash: _transactionHash,
  transactionPosition: _transactionPosition,
  ...frame
}: FlatFrame): FlatFrame {
  return frame;
}
