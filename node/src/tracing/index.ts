/**
 * What an execution did, step by step or call by call: tracers, and replays that feed them.
 * Owns: the tracers of geth by name, the form of their results as JSON text, replays of blocks and calls with a
 * tracer, JavaScript tracers and their sandbox. Does not own: execution itself, which block or state is meant,
 * who may ask.
 * Invariants: a replay changes nothing; parameters and results are plain values, so that it may run anywhere;
 * what one trace collects is bounded.
 */
export { NATIVE_TRACERS } from './createTracer.ts';
export type { ReplayParts } from './replayTracer.ts';
export { type TracedBlock, type TracedEntry, traceBlock } from './traceBlock.ts';
export { type TracedCall, traceCall } from './traceCall.ts';
export { type TracedCalls, traceCalls } from './traceCalls.ts';
export type { TraceConfig, TraceLimits } from './traceConfig.ts';
