import { setTimeout as later } from 'node:timers/promises';
import { silentLogger } from '@chain/platform';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { publicKeyOf, signDigest } from '../primitives/index.ts';
import { answerHere, type SignatureQuestion } from './question.ts';
import { SignatureThreads } from './signatureThreads.ts';

const RUNS = Number(process.env.CURVE_RUNS ?? 20);
const opened: SignatureThreads[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
});

function open(threads: number, metrics?: MetricsRegistry, entry?: URL): SignatureThreads {
  const options = { threads, ...(entry && { entry }) };
  const made = new SignatureThreads(options, { logger: silentLogger, metrics });
  opened.push(made);
  return made;
}

type Case = Omit<SignatureQuestion, 'answered'>;

/** Real signatures, some with a changed byte, to recover and to verify. */
const cases = fc.array(
  fc.record({ seed: fc.integer({ min: 1, max: 254 }), spoilt: fc.nat(96), isVerification: fc.boolean() }),
  { minLength: 1, maxLength: 150 },
);

function caseOf({ seed, spoilt, isVerification }: { seed: number; spoilt: number; isVerification: boolean }) {
  const key = new Uint8Array(32).fill(seed);
  const digest = new Uint8Array(32).fill(seed ^ 0x5a);
  const { signature, recoveryId } = signDigest(digest, key);
  const changed = Uint8Array.from(signature);
  if (spoilt < 64) changed[spoilt]! ^= 0xff;
  const signed = { digest, signature: changed };
  if (isVerification) return { ...signed, publicKey: publicKeyOf(key, true)! };
  return { ...signed, parity: (recoveryId & 1) as 0 | 1 };
}

/** What the questions are told, each once. */
async function answersOf(given: readonly Case[], ask: (asked: SignatureQuestion[]) => Promise<void> | void) {
  const answers: unknown[] = [];
  const told = given.map(() => 0);
  const asked = given.map((each, i) => {
    const answered = (answer: unknown) => {
      answers[i] = answer;
      told[i]!++;
    };
    return { ...each, answered } as SignatureQuestion;
  });
  await ask(asked);
  expect(told).toEqual(given.map(() => 1));
  return answers;
}

const here = (given: readonly Case[]) => answersOf(given, (asked) => asked.forEach(answerHere));
const signed = Array.from({ length: 40 }, (_, i) =>
  caseOf({ seed: i + 1, spoilt: 96, isVerification: i % 2 === 0 }),
);

/** Asks until threads answer: they start with the first questions. */
async function untilThreadsAnswer(threads: SignatureThreads, metrics: MetricsRegistry): Promise<void> {
  const isThere = async () => (await metrics.text()).includes('checked_total{where="thread"}');
  while (!(await isThere())) {
    await answersOf(signed.slice(0, 2), (asked) => threads.ask(asked));
    await later(5);
  }
}

describe('signatures beside the main thread', () => {
  it('have the answers that they have on it, whatever is asked', async () => {
    const metrics = createMetricsRegistry();
    const threads = open(2, metrics);
    await untilThreadsAnswer(threads, metrics);
    await fc.assert(
      fc.asyncProperty(cases, async (plans) => {
        const given = plans.map(caseOf);
        expect(await answersOf(given, (asked) => threads.ask(asked))).toEqual(await here(given));
      }),
      { numRuns: RUNS },
    );
  });

  it('that come in one turn leave together; one alone is not worth a message', async () => {
    const metrics = createMetricsRegistry();
    const threads = open(1, metrics);
    await untilThreadsAnswer(threads, metrics);
    const before = await counts(metrics);
    await answersOf(signed.slice(0, 1), (asked) => threads.ask(asked));
    const alone = await counts(metrics);
    expect(alone).toEqual({ ...before, main: before.main + 1 });
    await Promise.all(signed.map((each) => answersOf([each], (asked) => threads.ask(asked))));
    expect(await counts(metrics)).toEqual({ ...alone, thread: alone.thread + signed.length });
  });

  it('are answered by the main thread when their thread dies, and threads that only die are given up', async () => {
    const metrics = createMetricsRegistry();
    const threads = open(1, metrics, new URL('./endingWorker.fixture.ts', import.meta.url));
    const expected = await here(signed);
    const ended = async () => Number(/threads_ended_total (\d+)/.exec(await metrics.text())?.[1] ?? 0);
    while ((await ended()) < 3) {
      expect(await answersOf(signed, (asked) => threads.ask(asked))).toEqual(expected);
      await later(5);
    }
    expect(await answersOf(signed, (asked) => threads.ask(asked))).toEqual(expected);
    expect(await metrics.text()).toContain('chain_signatures_threads_count 0');
  });

  it('that are under way when the threads are closed are answered too', async () => {
    const metrics = createMetricsRegistry();
    const threads = open(2, metrics);
    await untilThreadsAnswer(threads, metrics);
    const asked = answersOf(signed, (questions) => threads.ask(questions));
    await new Promise(setImmediate);
    await threads.close();
    expect(await asked).toEqual(await here(signed));
    expect(await answersOf(signed, (questions) => threads.ask(questions))).toEqual(await here(signed));
  });
});

async function counts(metrics: MetricsRegistry): Promise<{ main: number; thread: number }> {
  const text = await metrics.text();
  const of = (where: string) =>
    Number(new RegExp(`checked_total\\{where="${where}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  return { main: of('main'), thread: of('thread') };
}
