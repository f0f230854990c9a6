import type { LogCriteria } from '../codec/logQuery.ts';
import { type LogRange, logRange, requireForward } from '../filters/logRange.ts';
import { formatLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import type { CallSubscriptions, MethodError } from '../rpcMethod.ts';

export const TOO_MANY_PAST_LOGS: MethodError = {
  code: RPC_CODE.server,
  message: 'the past range has more than … logs: …',
};

/** The event loop gets its turn after so long. */
const TURN_MS = 3;

type PastLogSource = 'history' | 'limits' | 'turns' | 'logNamespace';

/** What of a log subscription lies behind. */
interface Past {
  readonly criteria: LogCriteria;
  readonly past: LogRange;
}

/**
 * Heights that a subscription replays: from a number that is there up to the newest block, or to its end. From 0 or
 * `earliest` without an end it begins with the next block (spec R-22). Throws −32000 as `logRange` does.
 */
export function pastRange(
  deps: Pick<RpcDeps, 'chain' | 'history' | 'limits'>,
  criteria: LogCriteria,
): LogRange | undefined {
  const { from, to } = criteria;
  requireForward(from, to);
  const isAll = from === 0 || from === 'earliest';
  const { height } = deps.chain;
  const begins = typeof from === 'number' && from <= height;
  if (!(begins || from === 'earliest') || (isAll && typeof to !== 'number')) return undefined;
  return logRange(deps, typeof to === 'number' ? { ...criteria, to: Math.min(to, height) } : criteria);
}

/**
 * Subscribes, and replays what is past before anything new: blocks that come meanwhile are held behind it. Gives the
 * id. Throws −32000 for more logs than one answer may have; nothing is subscribed then.
 */
export async function subscribeWithPast(
  deps: Pick<RpcDeps, 'chain' | PastLogSource>,
  { criteria, past }: Past,
  { subscriptions, signal }: { readonly subscriptions: CallSubscriptions; readonly signal: AbortSignal },
): Promise<string> {
  const id = subscriptions.add({ kind: 'logs', criteria, after: deps.chain.height });
  try {
    subscriptions.replay(id, await pastTexts(deps, { criteria, past }, signal));
    return id;
  } catch (error) {
    subscriptions.remove(id);
    throw error;
  }
}

async function pastTexts(
  { history, limits, turns, logNamespace }: Pick<RpcDeps, PastLogSource>,
  { criteria: { addresses, topics }, past: { from, to } }: Past,
  signal: AbortSignal,
): Promise<string[]> {
  const { maxLogs } = limits;
  const pattern = { addresses, topics, includeSynthetic: logNamespace === 'chain' };
  const logs = await history.logs({ ...pattern, fromHeight: from, toHeight: to, limit: maxLogs + 1, signal });
  if (logs.length > maxLogs) {
    throw serverError(
      `the past range has more than ${maxLogs} logs: read them with eth_getLogs, and subscribe from the next block on`,
    );
  }
  const share = turns.share(TURN_MS);
  const texts: string[] = [];
  for (const log of logs) {
    if (share.isOver) await share.next();
    texts.push(JSON.stringify(formatLog(log)));
  }
  return texts;
}
