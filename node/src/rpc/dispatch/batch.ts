import { setImmediate as nextTurn } from 'node:timers/promises';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { errorText, invalidRequest } from './answer.ts';
import type { Element } from './envelope.ts';
import type { Answer } from './largeAnswer.ts';
import { timedOut } from './withinTime.ts';

export interface BatchLimits {
  /** Calls in one batch. */
  readonly batchMax: number;
  /** Bytes of the answer to one batch; the call that passes it is the last one that runs. */
  readonly batchResponseBytesMax: number;
  /** For the whole batch; what is not answered by then is answered with −32002. */
  readonly callTimeoutMs: number;
}

/** Other connections get their turn after so long in one batch. */
const TURN_MS = 10;
/** Timers fire up to so much early. */
const TIMER_GRAIN_MS = 2;

/**
 * Answers the elements of a batch one after the other, in their order; notifications and their answers are left
 * out. `one` answers a single element within the milliseconds that are left, '' when there is nothing to say.
 */
export async function answerBatch(
  elements: readonly Element[],
  limits: BatchLimits,
  one: (element: Element, timeoutMs: number) => Answer | Promise<Answer>,
): Promise<string> {
  if (elements.length === 0) return `${errorText('null', invalidRequest('empty batch'))}\n`;
  if (elements.length > limits.batchMax) return `[${errorText(firstId(elements), tooMany())}]\n`;
  const answers: string[] = [];
  const started = performance.now();
  let turnEnds = started + TURN_MS;
  let bytes = 0;
  for (const element of elements) {
    const timeLeft = started + limits.callTimeoutMs - performance.now();
    let answer: string;
    if (bytes > limits.batchResponseBytesMax) answer = unanswered(element, tooLarge());
    else if (timeLeft < TIMER_GRAIN_MS) answer = unanswered(element, timedOut());
    else answer = String(await one(element, timeLeft));
    if (answer !== '') answers.push(answer);
    bytes += answer.length;
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
  return answers.length === 0 ? '' : `[${answers.join(',')}]\n`;
}

/** For more calls than their sender may make now. */
export function refusedForNow(content: Element | readonly Element[], waitMs: number): string {
  const message = `too many requests; try again in ${waitMs} ms`;
  const error = new RpcError(RPC_CODE.busy, message, { retryAfterMs: waitMs });
  if (!Array.isArray(content)) return `${unanswered(content as Element, error)}\n`;
  const answers = content.map((element) => unanswered(element, error)).filter((answer) => answer !== '');
  return answers.length === 0 ? '' : `[${answers.join(',')}]\n`;
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
