import { NATIVE_TRACERS, type TracerParts } from '../createTracer.ts';
import { objectOf } from '../flags.ts';
import type { TraceConfig, TraceLimits } from '../traceConfig.ts';
import { JavaScriptTracer } from './javaScriptTracer.ts';
import { loadQuickJs } from './sandbox.ts';

/** What makes tracers of JavaScript, where the configuration names one and this node allows it. */
export async function prepareJavaScript(
  config: TraceConfig,
  limits: TraceLimits,
): Promise<TracerParts['javaScript']> {
  if (!limits.javaScript || !namesJavaScript(config.tracer, config.tracerConfig)) return undefined;
  const module = await loadQuickJs();
  const { timeoutMs } = config;
  return (code, own, place) => new JavaScriptTracer(module, { code, config: own, timeoutMs }, place);
}

function namesJavaScript(tracer: string | undefined, config: unknown): boolean {
  if (tracer === undefined) return false;
  if (tracer !== 'muxTracer') return !NATIVE_TRACERS.includes(tracer);
  return Object.entries(objectOf(config)).some(([name, own]) => namesJavaScript(name, own));
}
