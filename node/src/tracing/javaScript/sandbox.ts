import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isCodedError } from '@chain/platform';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { tracingFailed } from '../tracer.ts';
import { BOOTSTRAP } from './bootstrap.ts';

const MEMORY_BYTES = 64 << 20;
/** QuickJS counts its own stack; the engine below it has to hold more for each call. */
const STACK_BYTES = 64 << 10;

export type Scalar = string | number | boolean | undefined;
/** Functions that the sandbox may call; handed over by name. */
export type HostFunctions = Readonly<Record<string, (...values: never[]) => Scalar>>;

/** A WebAssembly instance of QuickJS with its own memory: nothing in it outlives the trace. */
export function loadQuickJs(): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
}

const BIG_INTEGER = readFileSync(
  createRequire(import.meta.url).resolve('big-integer/BigInteger.min.js'),
  'utf8',
);

/** One tracer's world: no clock, no network, no files, bounded memory, stack and time. */
export class Sandbox {
  readonly #context: QuickJSContext;
  readonly #api: QuickJSHandle;
  #isBroken = false;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(module: QuickJSWASMModule, host: HostFunctions) {
    const context = module.newContext();
    this.#context = context;
    context.runtime.setMemoryLimit(MEMORY_BYTES);
    context.runtime.setMaxStackSize(STACK_BYTES);
    context.runtime.setInterruptHandler(() => performance.now() > this.#endsAt);
    this.#take(context.evalCode(BIG_INTEGER, 'bigInt.js')).dispose();
    const bag = context.newObject();
    for (const [name, call] of Object.entries(host)) this.#offer(bag, name, call);
    const bootstrap = this.#take(context.evalCode(BOOTSTRAP, 'tracer.js'));
    this.#api = this.#take(context.callFunction(bootstrap, context.undefined, bag));
    bootstrap.dispose();
    bag.dispose();
  }

  /** Ends whatever runs in it after so much time. */
  limitTime(milliseconds: number): void {
    this.#endsAt = performance.now() + milliseconds;
  }

  /** Calls a function of the bootstrap. Throws TRACING_FAILED with what the tracer threw. */
  call(name: string, ...values: readonly Scalar[]): unknown {
    const context = this.#context;
    const called = context.getProp(this.#api, name);
    const handles = values.map((value) => this.#handleOf(value));
    try {
      const result = this.#take(context.callFunction(called, this.#api, ...handles), name);
      const value: unknown = context.dump(result);
      result.dispose();
      return value;
    } catch (error) {
      if (isCodedError(error)) throw error;
      this.#isBroken = true;
      throw tracingFailed(`the tracer broke its sandbox: ${String(error)}`, error);
    } finally {
      for (const handle of [called, ...handles]) handle.dispose();
    }
  }

  dispose(): void {
    // A WebAssembly instance that trapped goes as a whole, with its module.
    if (this.#isBroken) return;
    this.#api.dispose();
    this.#context.dispose();
  }

  #offer(bag: QuickJSHandle, name: string, call: HostFunctions[string]): void {
    const context = this.#context;
    const offered = context.newFunction(name, (...handles) => {
      const values = handles.map((handle) => context.dump(handle) as never);
      return this.#handleOf(call(...values));
    });
    context.setProp(bag, name, offered);
    offered.dispose();
  }

  #handleOf(value: Scalar): QuickJSHandle {
    const context = this.#context;
    if (value === undefined) return context.undefined;
    if (typeof value === 'number') return context.newNumber(value);
    if (typeof value === 'boolean') return value ? context.true : context.false;
    return context.newString(value);
  }

  #take(outcome: ReturnType<QuickJSContext['evalCode']>, within?: string): QuickJSHandle {
    if (!outcome.error) return outcome.value;
    const thrown: unknown = this.#context.dump(outcome.error);
    outcome.error.dispose();
    if (performance.now() > this.#endsAt) throw tracingFailed('execution timeout');
    const place =
      within === undefined || within === 'open' ? '' : `    in server-side tracer function '${within}'`;
    throw tracingFailed(`${textOf(thrown)}${place}`);
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { name = 'Error', message = '' } = thrown as { name?: string; message?: string };
  return `${name}: ${message}`;
}
