import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../support/freePort.ts';
import { processMemory } from '../support/processMemory.ts';
import { processCpuUs } from './processCpu.ts';

const OPERATOR = 'operator/bin/chain-operator.js';
/** The image's, within the 512 MiB that the manifests allow. */
const HEAP_MB = 384;
const REQUESTS = /^chain_kube_requests_total\{verb="(\w+)",code="\d+"\} (\d+)$/gm;
/** The lease is renewed every two seconds or so, by `replace`. */
const WRITES = new Set(['apply', 'create', 'patch', 'patchStatus', 'patchMetadata', 'delete']);
const READS = new Set(['get', 'list']);

/** What it has asked of the API server since it began. */
export interface AskedSoFar {
  readonly reads: number;
  readonly writes: number;
  readonly all: number;
}

export interface MeasuredOperator {
  readonly startedAt: number;
  asked(): Promise<AskedSoFar>;
  /** All threads, user and system. */
  cpuSeconds(): number;
  rssBytes(): number;
  stop(): Promise<void>;
}

/** The operator as a process of its own, as it is installed but for the address of its listeners. */
export async function startMeasured(kubeconfig: string, heapMb = HEAP_MB): Promise<MeasuredOperator> {
  const port = await freePort();
  const startedAt = performance.now();
  const flags = ['--kubernetes.namespace=default', `--admin.port=${port}`, '--status-page.port=0'];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=16', OPERATOR, ...flags, '--log.level=error'],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, KUBECONFIG: kubeconfig } },
  );
  const ended = once(child, 'exit');
  const pid = child.pid!;
  return {
    startedAt,
    asked: async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const found = [...text.matchAll(REQUESTS)].map(([, verb = '', count]) => ({
        verb,
        count: Number(count),
      }));
      const sum = (is: (verb: string) => boolean): number =>
        found.reduce((total, { verb, count }) => total + (is(verb) ? count : 0), 0);
      return {
        reads: sum((verb) => READS.has(verb)),
        writes: sum((verb) => WRITES.has(verb)),
        all: sum(() => true),
      };
    },
    cpuSeconds: () => processCpuUs(pid) / 1e6,
    rssBytes: () => processMemory(pid, 'VmRSS'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
