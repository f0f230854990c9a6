import type { Coverage } from './coverage.ts';
import { type FuzzTarget, faultOf } from './fuzzTarget.ts';
import { type Choose, chooser, mutate } from './mutate.ts';

export interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** What is known to be of interest; mutation begins there. */
  readonly corpus: readonly Buffer[];
}

export interface Finding {
  readonly input: Buffer;
  readonly fault: unknown;
}

export interface FuzzReport {
  readonly inputs: number;
  /** Blocks and functions that ran. */
  readonly features: number;
  /** Inputs that ran what no earlier one ran. */
  readonly kept: readonly Buffer[];
  /** The shortest input for each kind of fault. */
  readonly findings: readonly Finding[];
}

/** Looks at the coverage of so many inputs at once; those that show something new are run again one by one. */
const BATCH = 64;
/** Processor time that an input of at most 16 KiB may take: what costs us more than its sender. */
const INPUT_CPU_MS = 1000;

/** Mutates the corpus, keeps what runs new code, and tells what is neither taken nor refused. */
export function fuzz(
  target: FuzzTarget,
  { seconds, seed, corpus }: FuzzOptions,
  coverage: Coverage,
): FuzzReport {
  const choose = chooser(seed);
  // What ran before is no news of this target.
  coverage.add(coverage.take());
  const before = coverage.size;
  const pool = [...corpus, ...target.seeds.map((it) => Buffer.from(it as Uint8Array)), Buffer.alloc(0)];
  const kept: Buffer[] = [];
  const findings = new Map<string, Finding>();
  let inputs = 0;
  const run = (input: Buffer): void => {
    inputs++;
    const fault = timedFaultOf(target, input);
    if (fault === undefined) return;
    const kind = kindOf(fault);
    const known = findings.get(kind);
    if (!known || known.input.length > input.length) findings.set(kind, { input, fault });
  };
  for (const input of pool) run(input);
  coverage.add(coverage.take());
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const batch = Array.from({ length: BATCH }, () => mutate(pick(pool, choose), pick(pool, choose), choose));
    for (const input of batch) run(input);
    if (!coverage.hasNew(coverage.take())) continue;
    for (const input of batch) {
      run(input);
      if (coverage.add(coverage.take()) === 0) continue;
      pool.push(input);
      kept.push(input);
    }
  }
  return { inputs, features: coverage.size - before, kept, findings: [...findings.values()] };
}

/** Newer ones more often: they stand at the edge of what is known. */
function pick(pool: readonly Buffer[], choose: Choose): Buffer {
  const from = choose(2) === 0 ? Math.floor(pool.length / 2) : 0;
  return pool[from + choose(pool.length - from)]!;
}

function timedFaultOf(target: FuzzTarget, input: Buffer): unknown {
  const before = process.cpuUsage();
  const fault = faultOf(target, input);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (fault === undefined && ms > INPUT_CPU_MS)
    return new RangeError(`took ${Math.round(ms)} ms of processor time`);
  return fault;
}

/** The same fault of two inputs is one. */
function kindOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const place = /^\s+at .*$/m.exec(fault.stack ?? '')?.[0];
  return fault.message.startsWith('took ') ? 'slow' : `${fault.name} ${place ?? fault.message}`;
}
