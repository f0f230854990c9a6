import { getHeapStatistics } from 'node:v8';
import { outOfMemory } from './threadErrors.ts';

const MIB = 1024 * 1024;
/** Reading the size of the heap costs some microseconds, emptying it milliseconds. */
const LOOK_MS = 5;
const LOOK_AFTER_COLLECTING_MS = 50;

/**
 * The memory of a thread, objects and bytes. What earlier jobs left behind is not held against a job: bytes outside
 * V8's heap, WebAssembly's above all, may stay for long although nobody needs them any more.
 */
export class JobMemory {
  readonly #megabytes: number;
  #nextLook = 0;

  constructor(options: { /** Of one job. */ readonly megabytes: number }) {
    this.#megabytes = options.megabytes;
  }

  /** Throws THREADS_OUT_OF_MEMORY. Cheap: to be called often. */
  check(now: number): void {
    if (now < this.#nextLook) return;
    this.#nextLook = now + LOOK_MS;
    if (!this.#holds(1)) return;
    collect();
    this.#nextLook = performance.now() + LOOK_AFTER_COLLECTING_MS;
    if (this.#holds(1)) throw outOfMemory(this.#megabytes);
  }

  /** Whether a job that has ended left so much behind that the next one needs a new thread. */
  isWorn(): boolean {
    if (!this.#holds(0.5)) return false;
    collect();
    return this.#holds(0.5);
  }

  /** Whether more than this part of a job's memory is in use. */
  #holds(part: number): boolean {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external > part * this.#megabytes * MIB;
  }
}

/** V8's garbage collection on demand, which `exposeCollection` has made visible to the threads that start after it. */
function collect(): void {
  globalThis.gc!();
  // Bytes are swept in the background: the second call waits for what the first one found.
  globalThis.gc!();
}
