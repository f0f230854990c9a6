import type { TracerParts } from '../createTracer.ts';
import type { TraceConfig, TraceLimits } from '../traceConfig.ts';

export async function prepareJavaScript(
  _config: TraceConfig,
  _limits: TraceLimits,
): Promise<TracerParts['javaScript']> {
  return undefined;
}
