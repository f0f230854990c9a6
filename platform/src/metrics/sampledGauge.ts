export interface GaugeSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge whose series are made anew at each scrape: what is gone has none. */
export class SampledGauge {
  readonly type = 'gauge';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  readonly #sample: () => Iterable<GaugeSample>;

  constructor(options: {
    readonly name: string;
    readonly help: string;
    readonly sample: () => Iterable<GaugeSample>;
  }) {
    this.name = options.name;
    this.help = options.help;
    this.#sample = options.sample;
  }

  /** What prom-client's registry asks of a metric. */
  async get() {
    const values = [...this.#sample()];
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }
}
