import { jobKind } from './jobKind.ts';
import { type ReplayedBlock, resultsOf } from './traceJobs.ts';

/** Which flat traces are wanted. Addresses in hex, lower case; a list that is absent asks for nothing. */
export interface TraceMatch {
  readonly from?: readonly string[] | undefined;
  readonly to?: readonly string[] | undefined;
  /** Whether one of both lists is enough. */
  readonly mode: 'union' | 'intersection';
}

interface Frame {
  readonly traceAddress: readonly number[];
  readonly action: {
    readonly from?: string;
    readonly to?: string;
    readonly address?: string;
    readonly refundAddress?: string;
  };
  readonly result?: { readonly address?: string };
}

/** The flat traces of a block that match, each as JSON text. Throws −32000 when a transaction cannot be traced. */
export const matchingTracesJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ match, ...params }: ReplayedBlock & { readonly match: TraceMatch }, scope) => {
    const isMatch = matcherOf(match);
    const results = await resultsOf(params, scope);
    return results.flatMap(({ result }) =>
      (JSON.parse(result) as Frame[]).filter(isMatch).map((frame) => JSON.stringify(frame)),
    );
  },
});

/** The flat trace at a place in the tree of one transaction, as JSON text; absent when nothing is there. */
export const traceAtJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ path, ...params }: ReplayedBlock & { readonly path: readonly number[] }, scope) => {
    const [only] = await resultsOf(params, scope);
    const place = path.join();
    const frame = (JSON.parse(only!.result) as Frame[]).find(
      ({ traceAddress }) => traceAddress.join() === place,
    );
    return frame && JSON.stringify(frame);
  },
});

function matcherOf({ from, to, mode }: TraceMatch): (frame: Frame) => boolean {
  const senders = from && new Set(from);
  const receivers = to && new Set(to);
  return (frame) => {
    const isSent = senders?.has(senderOf(frame));
    const isReceived = receivers?.has(receiverOf(frame));
    if (mode === 'intersection') return isSent !== false && isReceived !== false;
    return (!senders && !receivers) || isSent === true || isReceived === true;
  };
}

/** Who called, created, or destroyed itself. */
function senderOf({ action }: Frame): string {
  return action.from ?? action.address ?? '';
}

/** Who was called or created, or got the rest; nobody for a creation that failed. */
function receiverOf({ action, result }: Frame): string {
  return action.to ?? action.refundAddress ?? result?.address ?? '';
}
