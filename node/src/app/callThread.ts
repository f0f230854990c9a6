import { silentLogger } from '@chain/platform';
import { createEvmEngine, type EvmEngineKind } from '../evm/index.ts';
import { createExecution } from '../execution/index.ts';
import { type JobAnswer, type JobOrder, movedOf, runJob, stateOn } from '../rpc/index.ts';
import { openStateReader, type StoreHandles } from '../state/store/index.ts';
import { serveJobs } from '../threads/index.ts';

/** What such a thread is started with. */
export interface CallThreadData {
  readonly state: StoreHandles;
  readonly evmChainId: bigint;
  readonly evmEngine: EvmEngineKind;
  readonly evmCache: string;
  readonly simulationGasCap: bigint;
  readonly development: boolean;
}

/** Runs as a thread of its own: JSON-RPC's jobs, on a state view and an engine of their own. */
await serveJobs(async ({ data }) => {
  const { state, evmChainId, evmEngine, evmCache, simulationGasCap, development } = data as CallThreadData;
  const engine = createEvmEngine({ chainId: evmChainId, kind: evmEngine, cacheDirectory: evmCache });
  const reader = await openStateReader(state);
  const execution = createExecution({ simulationGasCap, development }, { engine, logger: silentLogger });
  return {
    run: (kind, order, { interrupt }) => {
      const { params, synced, rewinds } = order as JobOrder;
      reader.advance(synced, rewinds);
      return runJob(kind, params, {
        execution,
        stateOf: (base) =>
          stateOn(base, (version) => ({ get: (store, key) => reader.get(store, key, version) })),
        interrupt,
      });
    },
    moved: (answer) => movedOf(answer as JobAnswer),
    close: () => reader.close(),
  };
});
