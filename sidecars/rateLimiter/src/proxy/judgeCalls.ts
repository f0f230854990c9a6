import { type Calls, readCalls, UnreadableCalls } from '../rules/index.ts';
import type { Policy } from './policy.ts';
import { CODES, deniedText, errorText, limitedText } from './refusals.ts';

/** What becomes of a body with calls. */
export type Verdict =
  | { readonly kind: 'forward'; readonly isBatch: boolean }
  /** A batch of which the calls at some places go on; `answers` are those to the others, at least one. */
  | { readonly kind: 'partly'; readonly may: readonly boolean[]; readonly answers: readonly string[] }
  | { readonly kind: 'limited'; readonly waitMs: number; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: 'invalid' | 'batch' | 'denied'; readonly text: string };

export interface Judge {
  readonly policy: Policy;
  /** Its batches may be of any size. */
  readonly isExempt: boolean;
  /** Calls of this body that have been paid for. */
  readonly paid: number;
  /** Pays for more: 0, or the ms to wait. */
  readonly take: (calls: number) => number;
}

/** Each call of a body counts; one that may not be made is answered here, and the others of its batch go on. */
export function judgeCalls(body: Buffer, { policy, isExempt, paid, take }: Judge): Verdict {
  const read = readCalls(body);
  if (read instanceof UnreadableCalls) {
    return { kind: 'refused', reason: 'invalid', text: errorText(null, read.code, [read.message]) };
  }
  const { calls } = read;
  const { burst } = policy.settings.limit;
  if (calls.length > burst && !isExempt) {
    const text = errorText(null, CODES.invalidRequest, [
      `the batch has ${calls.length} calls, and a client may make ${burst} at once; send smaller batches`,
      { limit: burst },
    ]);
    return { kind: 'refused', reason: 'batch', text };
  }
  const waitMs = calls.length > paid ? take(calls.length - paid) : 0;
  if (waitMs > 0) {
    return { kind: 'limited', waitMs, text: limitedText(read.isBatch ? null : calls[0]!.id, waitMs) };
  }
  if (!calls.every(({ method }) => policy.rules.allows(method))) return denied(read, policy);
  return { kind: 'forward', isBatch: read.isBatch };
}

function denied({ calls, isBatch }: Calls, { rules }: Policy): Verdict {
  const may = calls.map(({ method }) => rules.allows(method));
  const answers = calls.filter((_, i) => !may[i]).map(({ id, method }) => deniedText(id, method));
  if (!isBatch) return { kind: 'refused', reason: 'denied', text: answers[0]! };
  return { kind: 'partly', may, answers };
}
