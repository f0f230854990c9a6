/**
 * What two programs share: logger, metrics, lifecycle, errors, clock, HTTP server.
 * Owns: pino, prom-client, fastify. Does not own: anything that knows of chains.
 * Invariant: no module-level mutable state; every server has limits.
 */
export { type Clock, systemClock } from './clock.ts';
export { CodedError, type ErrorFields, isCodedError } from './errors.ts';
export { Lifecycle } from './lifecycle.ts';
export {
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  silentLogger,
} from './logger.ts';
export {
  type CounterMetric,
  createMetricsRegistry,
  type GaugeMetric,
  type HistogramMetric,
  type MetricDefinition,
  type MetricsRegistry,
} from './metrics.ts';
