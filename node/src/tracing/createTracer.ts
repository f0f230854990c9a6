import type { ByteBudget } from './byteBudget.ts';
import { CallTracer } from './callTracer.ts';
import { objectOf } from './flags.ts';
import { FlatCallTracer } from './flatCallTracer.ts';
import { fourByteTracer } from './fourByteTracer.ts';
import { muxTracer } from './muxTracer.ts';
import { noopTracer } from './noopTracer.ts';
import { PrestateTracer } from './prestateTracer.ts';
import { type ReplayParts, replayTracer } from './replayTracer.ts';
import { StructLogger } from './structLogger.ts';
import type { TraceConfig, TraceLimits } from './traceConfig.ts';
import { type TracePlace, type Tracer, tracingFailed } from './tracer.ts';

/** What every tracer of one call is made with. */
export interface TracerParts {
  readonly limits: TraceLimits;
  readonly budget: ByteBudget;
  /** Makes a tracer of JavaScript; absent where none is allowed or needed. */
  readonly javaScript?: ((code: string, config: unknown, place: TracePlace) => Tracer) | undefined;
}

type NativeTracer = (config: unknown, place: TracePlace, parts: TracerParts) => Tracer;

const NATIVE: ReadonlyMap<string, NativeTracer> = new Map<string, NativeTracer>([
  ['callTracer', (config) => new CallTracer(config)],
  ['flatCallTracer', (config, place) => new FlatCallTracer(config, place)],
  ['prestateTracer', (config) => new PrestateTracer(config)],
  ['4byteTracer', () => fourByteTracer()],
  ['noopTracer', () => noopTracer()],
  ['muxTracer', muxOf],
]);

/** The names that need no JavaScript. */
export const NATIVE_TRACERS: readonly string[] = [...NATIVE.keys()];

/** The tracer that `config` asks for. Throws TRACING_FAILED. */
export function createTracer(config: TraceConfig, place: TracePlace, parts: TracerParts): Tracer {
  if (config.replay) return allowedReplay(config.replay, parts.limits);
  if (config.tracer === undefined)
    return new StructLogger(config, { budget: parts.budget, hexWords: parts.limits.hexWords });
  return namedTracer({ name: config.tracer, config: config.tracerConfig }, place, parts);
}

/** Its parts are what the tracers of these names show. */
function allowedReplay(replay: ReplayParts, limits: TraceLimits): Tracer {
  requireAllowed('flatCallTracer', limits);
  if (replay.stateDiff) requireAllowed('prestateTracer', limits);
  return replayTracer(replay);
}

function requireAllowed(name: string, { allowedTracers }: TraceLimits, inside = ''): void {
  if (allowedTracers.includes(name)) return;
  throw tracingFailed(
    `${inside}debug native tracer ${JSON.stringify(name)} is not listed in evm.trace_allowed_tracers`,
  );
}

interface Named {
  readonly name: string;
  readonly config: unknown;
  /** Begins the texts of refusals. */
  readonly inside?: 'nested ' | undefined;
}

function namedTracer(
  { name, config, inside = undefined }: Named,
  place: TracePlace,
  parts: TracerParts,
): Tracer {
  const { limits, javaScript } = parts;
  const native = NATIVE.get(name);
  if (native) {
    requireAllowed(name, limits, inside);
    return native(config, place, parts);
  }
  if (!javaScript) {
    const why =
      'JavaScript tracers are disabled and only native tracers listed in evm.trace_allowed_tracers may be used';
    throw tracingFailed(`${inside ?? ''}debug tracer ${JSON.stringify(name)} is not allowed; ${why}`);
  }
  return javaScript(name, config, place);
}

function muxOf(config: unknown, place: TracePlace, parts: TracerParts): Tracer {
  const tracers = Object.entries(objectOf(config)).map(
    ([name, own]) => [name, namedTracer({ name, config: own, inside: 'nested ' }, place, parts)] as const,
  );
  return muxTracer(new Map(tracers));
}
