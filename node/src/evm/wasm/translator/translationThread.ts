import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ForkedCode } from './forkedCode.ts';
import { TranslationStore } from './translationStore.ts';

/** A code to translate. */
export interface TranslationOrder extends ForkedCode {
  readonly id: number;
}

/** A compiled module, and by program counter the index that its `run` takes. */
export interface TranslatedModule {
  readonly module: object;
  readonly entries: ReadonlyMap<number, number>;
}

export interface TranslationAnswer {
  readonly id: number;
  /** `undefined` for a code that outgrows the bounds of a translation. */
  readonly translated: TranslatedModule | undefined;
}

/** What the thread starts with. */
export interface TranslatorData {
  readonly port: MessagePort;
  /** See `TranslationStore`. */
  readonly directory: string | undefined;
}

type Listener = (translated: TranslatedModule | undefined) => void;

/**
 * Translates codes on a thread that starts with the first of them and does not keep the process alive. Answers are
 * taken by `poll`, for whoever executes does not return to the event loop in between.
 */
export class TranslationThread {
  readonly #waiting = new Map<number, Listener>();
  readonly #directory: string | undefined;
  readonly #store: TranslationStore | undefined;
  readonly #stored: ReadonlySet<string>;
  #port: MessagePort | undefined;
  #nextId = 0;

  /** `directory`: where translations are kept; without one they are not. */
  constructor(directory?: string) {
    this.#directory = directory;
    this.#store = directory === undefined ? undefined : new TranslationStore({ directory });
    this.#stored = this.#store?.names() ?? new Set();
  }

  /** Whether a translation of the code lay in the directory at the beginning: it was worth one before. */
  isStored(code: ForkedCode): boolean {
    return this.#stored.size > 0 && this.#stored.has(this.#store!.nameOf(code));
  }

  request(code: ForkedCode, listener: Listener): void {
    this.#port ??= startThread(this.#directory);
    const id = this.#nextId++;
    this.#waiting.set(id, listener);
    this.#port.postMessage({ id, ...code } satisfies TranslationOrder);
  }

  poll(): void {
    while (this.#port && this.#waiting.size > 0) {
      const received = receiveMessageOnPort(this.#port) as { message: TranslationAnswer } | undefined;
      if (!received) return;
      const { id, translated } = received.message;
      this.#waiting.get(id)!(translated);
      this.#waiting.delete(id);
    }
  }
}

function startThread(directory: string | undefined): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const entry = new URL('./translatorThread.ts', import.meta.url);
  const data: TranslatorData = { port: port2, directory };
  const worker = new Worker(entry, { workerData: data, transferList: [port2], name: 'evm-translator' });
  worker.unref();
  port1.unref();
  // Without a thread all code stays interpreted.
  worker.on('error', () => port1.close());
  return port1;
}
