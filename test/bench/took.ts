import { processMemory } from '../support/processMemory.ts';

/** Time by the clock, and of all threads on the cores: the latter does not mind what else the machine does. */
export interface Took {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Memory of the process at its highest. */
  readonly maxBytes: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Took> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuSeconds: (user + system) / 1e6, maxBytes: processMemory('self', 'VmHWM') };
}
