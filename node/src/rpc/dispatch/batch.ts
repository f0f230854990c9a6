import type { Turns } from '@chain/platform';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { errorText, invalidRequest } from './answer.ts';
import type { Element } from './envelope.ts';
import { type Answer, joinAnswers } from './largeAnswer.ts';
import { timedOut } from './withinTime.ts';

export interface BatchLimits {
  /** Calls in one batch. */
  readonly maxBatch: number;
  /** Bytes of the answer to one batch; the call that passes it is the last one that runs. */
  readonly maxBatchResponseBytes: number;
  /** For the whole batch; what is not answered by then is answered with −32002. */
  readonly callTimeoutMs: number;
}

/** Others get their turn after so long in one batch. */
const TURN_MS = 5;
/** Timers fire up to so much early. */
const TIMER_GRAIN_MS = 2;

/** Long calls of one batch that are under way at a time. */
const LONG_AT_ONCE = 8;
/** Submissions of one batch that are under way at a time. */
const SUBMISSIONS_AT_ONCE = 128;

/** How the elements of a batch are answered. */
export interface BatchCalls {
  /** Answers one element within the milliseconds that are left; '' when there is nothing to say. */
  one(element: Element, timeoutMs: number): Answer | Promise<Answer>;
  /** A long call that only reads: those behind it need not wait for its answer. */
  isLong(element: Element): boolean;
  /** It hands a transaction in: neighbours that do so begin in their order, and are under way together. */
  isSubmission(element: Element): boolean;
  readonly turns: Turns;
}

/**
 * Answers the elements of a batch in their order, one after the other, but for neighbouring submissions, and for long
 * ones, which run beside what follows; notifications and their answers are left out.
 */
export async function answerBatch(
  elements: readonly Element[],
  limits: BatchLimits,
  calls: BatchCalls,
): Promise<Answer> {
  if (elements.length === 0) return `${errorText('null', invalidRequest('empty batch'))}\n`;
  if (elements.length > limits.maxBatch) return `[${errorText(firstId(elements), tooMany())}]\n`;
  const answers: Answer[] = [];
  const underWay = new Set<Promise<void>>();
  const submissions: Promise<void>[] = [];
  const started = performance.now();
  const share = calls.turns.share(TURN_MS);
  let bytes = 0;
  const answer = async (element: Element, index: number): Promise<void> => {
    const timeLeft = started + limits.callTimeoutMs - performance.now();
    let text: Answer;
    if (bytes > limits.maxBatchResponseBytes) text = unanswered(element, tooLarge());
    else if (timeLeft < TIMER_GRAIN_MS) text = unanswered(element, timedOut());
    else text = await calls.one(element, timeLeft);
    answers[index] = text;
    bytes += text.length;
  };
  for (const [index, element] of elements.entries()) {
    const isSubmission = calls.isSubmission(element);
    if (!isSubmission || submissions.length === SUBMISSIONS_AT_ONCE) await Promise.all(submissions.splice(0));
    const answered = answer(element, index);
    if (isSubmission) submissions.push(answered);
    else if (calls.isLong(element)) {
      underWay.add(answered);
      void answered.then(() => underWay.delete(answered));
      if (underWay.size >= LONG_AT_ONCE) await Promise.race(underWay);
    } else await answered;
    if (share.isOver) await share.next();
  }
  await Promise.all([...underWay, ...submissions]);
  return joined(answers);
}

function joined(answers: readonly Answer[]): Answer {
  const said = answers.filter((answer) => answer !== '');
  return said.length === 0 ? '' : joinAnswers(said);
}

/** For more calls than their sender may make now. */
export function refusedForNow(content: Element | readonly Element[], waitMs: number): Answer {
  const message = `too many requests; try again in ${waitMs} ms`;
  const error = new RpcError(RPC_CODE.busy, message, { retryAfterMs: waitMs });
  if (!Array.isArray(content)) return `${unanswered(content as Element, error)}\n`;
  return joined(content.map((element) => unanswered(element, error)));
}

function unanswered({ id }: Element, error: RpcError): string {
  return id === undefined ? '' : errorText(id, error);
}

function firstId(elements: readonly Element[]): string {
  return elements.find(({ kind, id }) => kind === 'request' && id !== undefined)?.id ?? 'null';
}

function tooMany(): RpcError {
  return invalidRequest('batch too large');
}

function tooLarge(): RpcError {
  return new RpcError(RPC_CODE.responseTooLarge, 'response too large');
}
