/**
 * Metrics of a program, in Prometheus' form.
 * Owns: prom-client. Does not own: names of metrics.
 */
export {
  type CounterMetric,
  createMetricsRegistry,
  type GaugeMetric,
  type HistogramMetric,
  type MetricDefinition,
  type MetricsRegistry,
} from './metrics.ts';
export type { GaugeSample } from './sampledGauge.ts';
