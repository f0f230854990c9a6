import { availableParallelism } from 'node:os';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { AppConfig } from '../config/index.ts';
import type { StoreHandles } from '../state/store/index.ts';
import { JobPool } from '../threads/index.ts';
import type { CallThreadData } from './callThread.ts';

interface PoolDeps {
  readonly metrics: MetricsRegistry;
}

interface PoolOptions {
  readonly evm: AppConfig['evm'];
  /** Of the state store. */
  readonly state: StoreHandles;
  readonly evmChainId: bigint;
  readonly evmCache: string;
  readonly development: boolean;
}

const MAX_THREADS = 64;
const HEAP_MEGABYTES = 512;

/** Worker threads for calls and traces, as `[evm]` has them. Close it before the stores that it reads. */
export function openPool(
  { evm, state, evmChainId, evmCache, development }: PoolOptions,
  { metrics }: PoolDeps,
): JobPool {
  const processors = availableParallelism();
  // They start when they are needed. Two at least: one long call must not be in the way of all others.
  const threads = evm.worker_pool_size || Math.min(MAX_THREADS, Math.max(2, processors));
  const simulationGasCap = BigInt(evm.simulation_gas_limit);
  const engine = { evmChainId, evmEngine: evm.engine, evmCache };
  const data: CallThreadData = { state, ...engine, simulationGasCap, development };
  return new JobPool(
    {
      entry: new URL('./callThread.ts', import.meta.url),
      name: 'rpc-call',
      data,
      heapMegabytes: HEAP_MEGABYTES,
      threads,
      maxQueued: evm.worker_queue_size,
      groups: {
        simulation: evm.max_concurrent_simulation_calls || threads,
        // Traces are long: they leave a thread to the calls, where there are several.
        trace: Math.min(evm.max_concurrent_trace_calls || Number.POSITIVE_INFINITY, Math.max(1, threads - 1)),
      },
    },
    { metrics },
  );
}
