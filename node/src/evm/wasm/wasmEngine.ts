import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine, EvmExecutionResult } from '../evmEngine.ts';
import { EVM_FORKS, type EvmFork } from '../fork/evmFork.ts';
import { standardPrecompilesOf } from '../standard/standardPrecompiles.ts';
import { HOT_GAS } from './code/index.ts';
import { NoRoom } from './memory/index.ts';
import { MessageRun, ResumedTracer, type Work } from './run/index.ts';
import { Runtime } from './runtime/index.ts';
import { StepsNeeded } from './steps/index.ts';
import { TranslationThread } from './translator/index.ts';

/** Below the price of memory that 32-bit addresses do not reach. */
const MAX_GAS = 10n ** 13n;
/** A runtime that has used more is not kept for the next execution. */
const KEPT_BYTES = 512 << 20;

export interface WasmEngineOptions {
  readonly chainId: bigint;
  /** Gas that a code burns in the interpreter before it is translated; 0 translates every code at once. */
  readonly hotGas?: number | undefined;
  /** Where translations are kept for the next start; without it they are not. */
  readonly cacheDirectory?: string | undefined;
}

/**
 * The engine that runs code in WebAssembly. What it has no room for it hands to the reference engine, with the same
 * result: more gas, slots, codes or memory than blocks have.
 */
export function createWasmEngine(options: WasmEngineOptions): EvmEngine {
  const reference = createEthereumjsEngine(options);
  const idle = new Map<EvmFork, Runtime[]>(EVM_FORKS.map((fork) => [fork, []]));
  const thread = new TranslationThread(options.cacheDirectory);
  const { hotGas = HOT_GAS } = options;
  const standard = new Map(EVM_FORKS.map((fork) => [fork, standardPrecompilesOf(fork)]));
  return {
    name: 'wasm',
    version: reference.version,
    execute: async (message, given) => {
      if (message.gasLimit > MAX_GAS) return await reference.execute(message, given);
      const tracer = given.tracer && new ResumedTracer(given.tracer);
      const host = tracer ? { ...given, tracer } : given;
      const mark = host.state.mark();
      const again = (): void => {
        host.state.revertTo(mark);
        tracer?.again();
      };
      try {
        return await runOrStep({ message, host }, again);
      } catch (error) {
        // Nothing else: a trap is a fault of this program, which stops the node (`isResourceError`).
        if (!(error instanceof NoRoom)) throw error;
        again();
        return await reference.execute(message, host);
      }
    },
  };

  async function runOrStep(work: Work, again: () => void): Promise<EvmExecutionResult> {
    try {
      return await runOn(work);
    } catch (error) {
      if (!(error instanceof StepsNeeded)) throw error;
      again();
      return await runOn({ ...work, bySteps: true });
    }
  }

  async function runOn(work: Work): Promise<EvmExecutionResult> {
    const { fork } = work.host.block;
    const runtime = idle.get(fork)!.pop() ?? new Runtime({ hotGas, thread, fork });
    try {
      thread.poll();
      runtime.codes.makeRoom();
      return await new MessageRun(runtime, work, standard.get(fork)!).run();
    } finally {
      runtime.host = undefined;
      if (runtime.usedBytes <= KEPT_BYTES) idle.get(fork)!.push(runtime);
    }
  }
}
