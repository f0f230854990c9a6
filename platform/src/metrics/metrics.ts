import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { Histogram } from './histogram.ts';
import { type GaugeSample, SampledGauge } from './sampledGauge.ts';

export interface MetricDefinition<Label extends string = string> {
  /** `chain_<room>_<noun>_<unit>`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

type Labels<Label extends string> = Partial<Record<Label, string | number>>;

export interface CounterMetric<Label extends string = string> {
  add(amount?: number, labels?: Labels<Label>): void;
  /** Adds for these labels: for hot paths, where looking labels up each time costs too much. */
  bind(labels: Labels<Label>): (amount: number) => void;
}
export interface GaugeMetric<Label extends string = string> {
  set(value: number, labels?: Labels<Label>): void;
}
export interface HistogramMetric<Label extends string = string> {
  observe(value: number, labels?: Labels<Label>): void;
  /** Observes for these labels: for hot paths. */
  bind(labels: Labels<Label>): (value: number) => void;
}

/** Where rooms register their metrics; the admin server prints it. One for each program. */
export interface MetricsRegistry {
  counter<L extends string>(definition: MetricDefinition<L>): CounterMetric<L>;
  /** `read` is asked whenever the metrics are printed, for values that nobody needs to push. */
  gauge<L extends string>(definition: MetricDefinition<L> & { read?: () => number }): GaugeMetric<L>;
  /** A gauge whose series are made anew whenever the metrics are printed: what is gone has none. */
  sampled(definition: {
    readonly name: string;
    readonly help: string;
    readonly sample: () => Iterable<GaugeSample>;
  }): void;
  histogram<L extends string>(
    definition: MetricDefinition<L> & { buckets: readonly number[] },
  ): HistogramMetric<L>;
  /** Defects that ended a request, a frame or a message, and not the process; see CrashBoundary. */
  readonly crashes: CounterMetric<'boundary'>;
  /** Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

export function createMetricsRegistry({ processMetrics = false } = {}): MetricsRegistry {
  const registers = [new Registry()];
  const registry = registers[0]!;
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const config = <L extends string>({ name, help, labels = [] }: MetricDefinition<L>) => ({
    name,
    help,
    labelNames: [...labels],
    registers,
  });
  const crashes = new Counter(
    config({
      name: 'chain_crashes_total',
      help: 'Defects that ended a request, a frame or a message, by where they were caught.',
      labels: ['boundary'],
    }),
  );
  return {
    crashes: {
      add: (amount = 1, labels = {}) => crashes.inc(labels as never, amount),
      bind: (labels) => (amount) => crashes.inc(labels as never, amount),
    },
    counter: (definition) => {
      const bound: (() => void)[] = [];
      const collect = (): void => {
        for (const flush of bound) flush();
      };
      const counter = new Counter({ ...config(definition), collect });
      return {
        add: (amount = 1, labels = {}) => counter.inc(labels as never, amount),
        bind: (labels) => {
          let since = 0;
          bound.push(() => {
            if (since > 0) counter.inc(labels as never, since);
            since = 0;
          });
          return (amount) => {
            since += amount;
          };
        },
      };
    },
    gauge: (definition) => {
      const { read } = definition;
      const gauge: Gauge = new Gauge({
        ...config(definition),
        ...(read && { collect: () => gauge.set(read()) }),
      });
      return { set: (value, labels = {}) => gauge.set(labels as never, value) };
    },
    sampled: (definition) => {
      registry.registerMetric(new SampledGauge(definition) as unknown as Metric);
    },
    histogram: (definition) => {
      const histogram = new Histogram(definition);
      // The registry only asks for `get()`; the type wants prom-client's whole class.
      registry.registerMetric(histogram as unknown as Metric);
      if (!definition.labels?.length) histogram.of({});
      return {
        observe: (value, labels = {}) => histogram.of(labels as Record<string, string>)(value),
        bind: (labels) => histogram.of(labels as Record<string, string>),
      };
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
