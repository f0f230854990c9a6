import { type Profiler, Session } from 'node:inspector';

/** Of code that is under test: the program's own, and libraries that decode for it. */
const MEASURED = /\/(?:node|platform|operator|sidecars\/\w+)\/src\/|\/node_modules\/(?!vitest|@vitest|vite)/;

/**
 * What V8 itself counts while code runs: which blocks of which functions ran since the last look, a millisecond a look.
 * Nothing is compiled or rewritten for it.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** What ran since the last look. */
  take(): string[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result;
    });
    return scripts.filter(({ url }) => MEASURED.test(url)).flatMap(featuresOf);
  }

  /** How many of these were in no look before; from now on they were. */
  add(features: readonly string[]): number {
    const before = this.#seen.size;
    for (const feature of features) this.#seen.add(feature);
    return this.#seen.size - before;
  }

  hasNew(features: readonly string[]): boolean {
    return features.some((feature) => !this.#seen.has(feature));
  }

  get size(): number {
    return this.#seen.size;
  }

  close(): void {
    this.#session.post('Profiler.disable');
    this.#session.disconnect();
  }
}

function featuresOf({ scriptId, functions }: Profiler.ScriptCoverage): string[] {
  return functions.flatMap(({ ranges }) => {
    const start = ranges[0]?.startOffset;
    return ranges.map(
      (range) => `${scriptId}:${start}:${range.startOffset}-${range.endOffset}:${range.count}`,
    );
  });
}
