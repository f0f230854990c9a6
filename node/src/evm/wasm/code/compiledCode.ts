import { Instance, Module } from '../../../primitives/index.ts';
import type { EvmFork } from '../../fork/evmFork.ts';
import type { LinearMemory } from '../memory/index.ts';
import { INTERPRET, PROGRAM_COUNTER } from '../memory/layout.ts';
import type { TranslatedModule, TranslationThread } from '../translator/index.ts';
import { translate } from '../translator/index.ts';
import type { FastTier, PlacedCode } from './placedCode.ts';

/** Gas that a code burns in the interpreter before it is worth a translation. */
export const HOT_GAS = 1_500_000;
/** EIP-170; init code may be longer, and runs once. */
const MAX_CODE_BYTES = 24_576;

interface CompiledRun {
  readonly entries: ReadonlyMap<number, number>;
  readonly run: (frame: number, index: number) => number;
}

/** What translated code works with. */
export interface CompilationParts {
  readonly memory: LinearMemory;
  /** Functions of the runtime. */
  readonly runtime: object;
  /** See `createWasmEngine`. */
  readonly hotGas: number;
  readonly thread: TranslationThread;
  readonly fork: EvmFork;
}

/** The fast tier of one code: counts what it burns, and is translated once that is worth it. */
export class CompiledCode implements FastTier {
  readonly #memory: LinearMemory;
  readonly #runtime: object;
  readonly #hotGas: number;
  readonly #thread: TranslationThread;
  readonly #fork: EvmFork;
  #heat = 0;
  #isAsked = false;
  #isLookedUp = false;
  #compiled: CompiledRun | undefined;

  constructor({ memory, runtime, hotGas, thread, fork }: CompilationParts) {
    this.#memory = memory;
    this.#runtime = runtime;
    this.#hotGas = hotGas;
    this.#thread = thread;
    this.#fork = fork;
  }

  get isCompiled(): boolean {
    return this.#compiled !== undefined;
  }

  run(record: number): number {
    const index = this.#compiled?.entries.get(this.#memory.u32(record + PROGRAM_COUNTER));
    return index === undefined ? INTERPRET : this.#compiled!.run(record, index);
  }

  burnt(gas: number, placed: PlacedCode): void {
    this.#heat += gas;
    if (this.#isAsked || placed.length > MAX_CODE_BYTES) return;
    if (this.#heat >= this.#hotGas || this.#isStored(placed)) this.#compile(placed);
  }

  /** Whether it was hot when the node ran before: asked once. */
  #isStored({ key, at, length }: PlacedCode): boolean {
    if (this.#isLookedUp || key === undefined) return false;
    this.#isLookedUp = true;
    return this.#thread.isStored({ code: this.#memory.slice(at, length), fork: this.#fork });
  }

  #compile(placed: PlacedCode): void {
    this.#isAsked = true;
    const code = this.#memory.slice(placed.at, placed.length);
    if (this.#hotGas > 0) {
      this.#thread.request({ code, fork: this.#fork }, (translated) => this.#take(translated));
      return;
    }
    const translation = translate({ code, fork: this.#fork });
    this.#take(translation && { module: new Module(translation.module), entries: translation.entries });
  }

  #take(translated: TranslatedModule | undefined): void {
    if (!translated) return;
    const imports = { env: { memory: this.#memory.memory }, runtime: this.#runtime };
    const { run } = new Instance(translated.module, imports).exports as Pick<CompiledRun, 'run'>;
    this.#compiled = { entries: translated.entries, run };
  }
}
