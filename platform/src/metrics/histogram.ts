type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  readonly metricName: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Counts of one set of labels. */
class Series {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  /** Of values up to each bound and above the one before; the last is of those above all. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > bounds[i]!) i++;
    this.#counts[i]!++;
    this.#sum += value;
  }

  samples(name: string): Sample[] {
    let total = 0;
    const buckets = [...this.#counts].map((count, i) => {
      total += count;
      const labels = { le: this.#bounds[i] ?? '+Inf', ...this.labels };
      return { metricName: `${name}_bucket`, labels, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.labels, value: total },
    ];
  }
}

/** A histogram whose observations cost some additions: prom-client's looks its labels up each time. */
export class Histogram {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(options: {
    readonly name: string;
    readonly help: string;
    readonly buckets: readonly number[];
  }) {
    this.name = options.name;
    this.help = options.help;
    this.#bounds = options.buckets;
  }

  /** The function to observe with; labels show up with their first value, a metric without any at once. */
  of(labels: Labels): (value: number) => void {
    let series = Object.keys(labels).length === 0 ? this.#seriesOf(labels) : undefined;
    return (value) => {
      series ??= this.#seriesOf(labels);
      series.observe(value);
    };
  }

  /** What prom-client's registry asks of a metric. */
  async get() {
    const values = [...this.#series.values()].flatMap((series) => series.samples(this.name));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  #seriesOf(labels: Labels): Series {
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#series.get(key);
    if (known) return known;
    const made = new Series(labels, this.#bounds);
    this.#series.set(key, made);
    return made;
  }
}
