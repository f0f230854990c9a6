import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Beside {
  /** Of 1,000 calls 990 took no longer than `p99`; milliseconds. */
  stop(): Promise<{ readonly p99: number; readonly longest: number; readonly calls: number }>;
}

/** Asks for eth_blockNumber over and over, on a thread of its own: who parses a large answer holds up nobody here. */
export function startBeside(url: string): Beside {
  const worker = new Worker(new URL('./besideThread.ts', import.meta.url), { workerData: { url } });
  return {
    stop: async () => {
      const told = once(worker, 'message') as Promise<[number[]]>;
      worker.postMessage('stop');
      const [times] = await told;
      const sorted = times.toSorted((a, b) => a - b);
      return {
        p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        longest: sorted.at(-1) ?? 0,
        calls: sorted.length,
      };
    },
  };
}
