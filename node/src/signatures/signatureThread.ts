import { Worker } from 'node:worker_threads';
import type { SignatureQuestion } from './question.ts';
import { packQuestions, unpackAnswers } from './records.ts';

/** Questions that left together, and who waits for all of them. */
export interface Batch {
  readonly questions: readonly SignatureQuestion[];
  settled(): void;
}

interface ThreadEvents {
  readonly onAnswer: () => void;
  /** The thread is gone, and these are not answered. */
  readonly onEnd: (unanswered: readonly Batch[], error: unknown) => void;
}

/** One thread, as its owner sees it: batches are answered in the order in which they are sent. */
export class SignatureThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #underWay: Batch[] = [];
  #isReady = false;
  #questions = 0;

  constructor(entry: URL, events: ThreadEvents) {
    this.#events = events;
    const worker = new Worker(entry, { name: 'signatures' });
    // Whoever waits for an answer keeps the process: a request, a proposal.
    worker.unref();
    let failure: unknown;
    worker.on('message', (message: Uint8Array | 'ready') => {
      if (message === 'ready') this.#isReady = true;
      else this.#hear(message);
    });
    worker.once('error', (error) => {
      failure = error;
    });
    worker.once('exit', () => events.onEnd(this.#underWay.splice(0), failure));
    this.#worker = worker;
  }

  /** Whether it answers yet. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How many questions it has. */
  get questions(): number {
    return this.#questions;
  }

  send(batch: Batch): void {
    const packed = packQuestions(batch.questions);
    this.#worker.postMessage(packed, [packed.buffer]);
    this.#underWay.push(batch);
    this.#questions += batch.questions.length;
    this.#worker.ref();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(answers: Uint8Array): void {
    this.#events.onAnswer();
    const batch = this.#underWay.shift()!;
    this.#questions -= batch.questions.length;
    if (this.#underWay.length === 0) this.#worker.unref();
    unpackAnswers(answers, batch.questions);
    batch.settled();
  }
}
