import { isResourceError, type Logger, messageOf } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { answerHere, type SignatureQuestion } from './question.ts';
import { type SignatureMetrics, signatureMetrics } from './signatureMetrics.ts';
import { type Batch, SignatureThread } from './signatureThread.ts';

export interface SignatureThreadOptions {
  /** 0: all questions are answered on the main thread. */
  readonly threads: number;
  /** What a thread runs; another one in tests. */
  readonly entry?: URL;
}

export interface SignatureThreadDeps {
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry | undefined;
}

/** Whoever may ask. */
export type Signatures = Pick<SignatureThreads, 'ask'>;

/** A message there and back costs about as much as one signature: what comes alone is answered here. */
const MIN_BATCH = 2;
/** What is worth a message by itself waits for no others of its turn. */
const ENOUGH = 16;
/** Of one message: the answers to the first questions do not wait for those of a whole block. */
const MAX_BATCH = 64;
/** Threads that died one after another, with no answer between, before none is started any more. */
const MAX_FAILURES = 3;
const ENTRY = new URL('./signatureWorker.ts', import.meta.url);

/** Gathers the questions of one turn of the event loop, and has them answered by threads that start when they are needed. */
export class SignatureThreads {
  readonly #options: SignatureThreadOptions;
  readonly #logger: Logger;
  readonly #metrics: SignatureMetrics;
  readonly #threads = new Set<SignatureThread>();
  #gathered: SignatureQuestion[] = [];
  #turn: PromiseWithResolvers<void> | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: SignatureThreadOptions, { logger, metrics }: SignatureThreadDeps) {
    this.#options = options;
    this.#logger = logger;
    this.#metrics = signatureMetrics(metrics);
  }

  /**
   * Resolves once each of them is answered, or cannot be for want of stack or memory: whoever asked then finds out
   * where such errors have an owner. Never rejects.
   */
  ask(questions: readonly SignatureQuestion[]): Promise<void> {
    if (questions.length >= ENOUGH) return new Promise((resolve) => this.#send(questions, resolve));
    if (!this.#turn) {
      this.#turn = Promise.withResolvers();
      setImmediate(() => this.#endTurn());
    }
    for (const question of questions) this.#gathered.push(question);
    return this.#turn.promise;
  }

  /** Ends the threads; what they had not answered is answered here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#threads, (thread) => thread.close()));
  }

  #endTurn(): void {
    const { resolve } = this.#turn!;
    const questions = this.#gathered;
    this.#gathered = [];
    this.#turn = undefined;
    this.#send(questions, resolve);
  }

  #send(questions: readonly SignatureQuestion[], resolve: () => void): void {
    const isWorthIt = questions.length >= MIN_BATCH;
    if (isWorthIt) this.#startMissing();
    if (!isWorthIt || !this.#freest()) {
      this.#answerHere(questions);
      resolve();
      return;
    }
    let left = Math.ceil(questions.length / MAX_BATCH);
    const settled = (): void => {
      left--;
      if (left === 0) resolve();
    };
    for (let from = 0; from < questions.length; from += MAX_BATCH) {
      const batch = { questions: questions.slice(from, from + MAX_BATCH), settled };
      this.#metrics.answered('thread', batch.questions.length);
      this.#freest()!.send(batch);
    }
  }

  /** The one with the fewest questions, of those that answer already. */
  #freest(): SignatureThread | undefined {
    let freest: SignatureThread | undefined;
    for (const thread of this.#threads) {
      if (thread.isReady && (!freest || thread.questions < freest.questions)) freest = thread;
    }
    return freest;
  }

  #startMissing(): void {
    while (this.#threads.size < this.#options.threads && this.#failures < MAX_FAILURES && !this.#isClosed) {
      const thread: SignatureThread = new SignatureThread(this.#options.entry ?? ENTRY, {
        onAnswer: () => {
          this.#failures = 0;
        },
        onEnd: (unanswered, error) => this.#ended(thread, unanswered, error),
      });
      this.#threads.add(thread);
      this.#metrics.threads(this.#threads.size);
    }
  }

  #ended(thread: SignatureThread, unanswered: readonly Batch[], error: unknown): void {
    this.#threads.delete(thread);
    this.#metrics.threads(this.#threads.size);
    if (!this.#isClosed) this.#noteFailure(error);
    for (const { questions, settled } of unanswered) {
      this.#answerHere(questions);
      settled();
    }
  }

  #noteFailure(error: unknown): void {
    this.#failures++;
    this.#metrics.ended();
    const reason = error === undefined ? 'it ended' : messageOf(error);
    const isLast = this.#failures >= MAX_FAILURES;
    this.#logger.warn('A thread for signatures has ended', { reason, startsAnother: !isLast });
  }

  #answerHere(questions: readonly SignatureQuestion[]): void {
    this.#metrics.answered('main', questions.length);
    for (const question of questions) {
      try {
        answerHere(question);
      } catch (error) {
        if (!isResourceError(error)) throw error;
      }
    }
  }
}
