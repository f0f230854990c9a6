import { bytesToHex, RuntimeError } from '../../primitives/index.ts';
import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import { createInstance } from '../ethereumjs/instance.ts';
import { type StandardPrecompile, standardPrecompilesOf } from '../ethereumjs/standardPrecompiles.ts';
import type { EvmEngine, EvmExecutionResult, EvmHost, EvmMessage } from '../evmEngine.ts';
import { EVM_FORKS, type EvmFork } from '../fork/evmFork.ts';
import { isStandardPrecompile } from '../precompile/standardAddresses.ts';
import { HOT_GAS } from './compiledCode.ts';
import { Execution } from './execution.ts';
import { NoRoom } from './noRoom.ts';
import { ResumedTracer } from './resumedTracer.ts';
import { Runtime } from './runtime.ts';
import { TranslationThread } from './translator/translationThread.ts';

/** Below the price of memory that 32-bit addresses do not reach. */
const MOST_GAS = 10n ** 13n;
/** A memory that has grown beyond is not kept for the next execution. */
const KEPT_BYTES = 512 << 20;

export interface WasmEngineOptions {
  readonly chainId: bigint;
  /** Gas that a code burns in the interpreter before it is translated; 0 translates every code at once. */
  readonly hotGas?: number | undefined;
  /** Where translations are kept for the next start; without it they are not. */
  readonly cacheDirectory?: string | undefined;
}

/**
 * The engine that runs code in WebAssembly. What it does not do itself it hands to the reference engine, with the
 * same result: executions that are watched step by step, calls of a precompile by the transaction itself, and what has no room.
 */
export function createWasmEngine(options: WasmEngineOptions): EvmEngine {
  const reference = createEthereumjsEngine(options);
  const idle = new Map<EvmFork, Runtime[]>(EVM_FORKS.map((fork) => [fork, []]));
  const thread = new TranslationThread(options.cacheDirectory);
  const { hotGas = HOT_GAS } = options;
  const standard = new Map<EvmFork, ReadonlyMap<string, StandardPrecompile>>();
  return {
    name: 'wasm',
    version: reference.version,
    execute: async (message, given) => {
      if (!canRun(message, given)) return await reference.execute(message, given);
      const tracer = given.tracer && new ResumedTracer(given.tracer);
      const host = tracer ? { ...given, tracer } : given;
      const { fork } = host.block;
      if (!standard.has(fork)) {
        standard.set(fork, standardPrecompilesOf((await createInstance(options.chainId, fork)).evm));
      }
      const mark = host.state.mark();
      try {
        return await runOn(idle.get(fork)!.pop() ?? new Runtime({ hotGas, thread, fork }), { message, host });
      } catch (error) {
        // A trap is a memory that cannot grow: nothing else traps.
        if (!(error instanceof NoRoom || error instanceof RuntimeError)) throw error;
        host.state.revertTo(mark);
        tracer?.again();
        return await reference.execute(message, host);
      }
    },
  };

  async function runOn(
    runtime: Runtime,
    work: { readonly message: EvmMessage; readonly host: EvmHost },
  ): Promise<EvmExecutionResult> {
    const { fork } = work.host.block;
    try {
      thread.poll();
      runtime.codes.makeRoom();
      return await new Execution(runtime, work, standard.get(fork)!).run();
    } finally {
      runtime.host = undefined;
      if (runtime.memory.bytes.length <= KEPT_BYTES) idle.get(fork)!.push(runtime);
    }
  }
}

function canRun(
  { to, gasLimit, caller, value }: EvmMessage,
  { tracer, precompiles, state, block }: EvmHost,
): boolean {
  // Steps are the reference's to tell.
  if (tracer?.onStep || tracer?.onFault) return false;
  if (gasLimit > MOST_GAS || (value > 0n && state.balance(caller) < value)) return false;
  return !to || !(isStandardPrecompile(to, block.fork) || precompiles.has(bytesToHex(to)));
}
