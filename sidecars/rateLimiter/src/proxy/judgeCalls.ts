import { type Calls, readCalls, UnreadableCalls } from '../rules/index.ts';
import type { Policy } from './policy.ts';
import { CODES, deniedText, errorText, limitedText } from './refusals.ts';

/** What becomes of a body with calls. */
export type Verdict =
  | { readonly kind: 'forward' }
  | { readonly kind: 'limited'; readonly waitMs: number; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: 'invalid' | 'batch' | 'denied'; readonly text: string };

export interface Judge {
  readonly policy: Policy;
  /** Calls of this body that have been paid for. */
  readonly paid: number;
  /** Pays for more: 0, or the ms to wait. */
  readonly take: (calls: number) => number;
}

const FORWARD: Verdict = { kind: 'forward' };

/** Each call of a body counts; one that may not be made keeps all of them back. */
export function judgeCalls(body: Buffer, { policy, paid, take }: Judge): Verdict {
  const read = readCalls(body);
  if (read instanceof UnreadableCalls) {
    return { kind: 'refused', reason: 'invalid', text: errorText(null, read.code, [read.message]) };
  }
  const { calls } = read;
  const { burst } = policy.settings.limit;
  if (calls.length > burst) {
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
  return calls.every(({ method }) => policy.rules.allows(method)) ? FORWARD : denied(read, policy);
}

function denied({ calls, isBatch }: Calls, policy: Policy): Verdict {
  const texts = calls.map(({ id, method }) =>
    policy.rules.allows(method)
      ? errorText(id, CODES.invalidRequest, ['not made: another call of the batch is not served here'])
      : deniedText(id, method),
  );
  return { kind: 'refused', reason: 'denied', text: isBatch ? `[${texts.join(',')}]` : texts[0]! };
}
