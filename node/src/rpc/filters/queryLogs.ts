import type { LogMatch, LogPattern } from '../../history/index.ts';
import { equalBytes, toHexQuantity } from '../../primitives/index.ts';
import { requireHeld } from '../blocks/floors.ts';
import { BLOCK_READS } from '../blocks/resolveBlock.ts';
import { requireNarrow } from '../clients/criteriaSize.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import { LogsList } from '../format/logsJson.ts';
import type { RawJson } from '../rawJson.ts';
import { serverError } from '../rpcError.ts';
import type { RpcCall, Uses } from '../rpcMethod.ts';
import { logRange } from './logRange.ts';
import { patternKey } from './logsCache.ts';

export const LOG_QUERY_USES = [
  ...BLOCK_READS,
  'limits',
  'logNamespace',
  'logsWriter',
  'logsCache',
  'turns',
] as const;
type LogQueryDeps = Uses<typeof LOG_QUERY_USES>;

const TRUNCATED = 'Chain-Logs-Truncated';

/** A log as JSON is never shorter: more logs than fit are not even looked for. */
const LOG_BYTES_MIN = 400;
const NOTHING = new Uint8Array(0);

/**
 * The logs of a query as JSON, in order. An open-ended range gives its first `maxLogs` logs; the answer's header
 * then names the block of the last one, from which an indexer can go on (spec R-20).
 */
export async function queryLogs(deps: LogQueryDeps, criteria: LogCriteria, call: RpcCall): Promise<RawJson> {
  const { blockHash, addresses, topics } = criteria;
  const { signal } = call;
  requireNarrow(criteria, deps.limits.maxLogItems);
  const pattern = { addresses, topics, includeSynthetic: deps.logNamespace === 'chain' };
  const { logsWriter: writer, turns, limits } = deps;
  const list = new LogsList({ maxBytes: limits.maxLogBytes, signal }, { writer, turns });
  if (blockHash) {
    const height = deps.history.blockByHash(blockHash)?.block.header.height;
    if (height === undefined && !equalBytes(blockHash, deps.genesisHash)) throw serverError('unknown block');
    if (height !== undefined) {
      requireHeld(deps, height, ['receipts']);
      await appendRange(deps, list, { pattern, from: height, to: height, signal });
    }
    return list.json();
  }
  const { from, to, isOpen } = logRange(deps, criteria);
  if (isOpen) await list.write(await firstLogs(deps, { pattern, from, to }, call));
  else await appendRange(deps, list, { pattern, from, to, signal });
  return list.json();
}

interface Range {
  readonly pattern: LogPattern;
  readonly from: number;
  readonly to: number;
}

async function firstLogs(
  deps: LogQueryDeps,
  { pattern, from, to }: Range,
  call: RpcCall,
): Promise<LogMatch[]> {
  const { maxLogs } = deps.limits;
  const range = { fromHeight: from, toHeight: to, limit: maxLogs + 1, signal: call.signal };
  const logs = await deps.history.logs({ ...pattern, ...range });
  if (logs.length > maxLogs) {
    logs.length = maxLogs;
    call.setHeader(TRUNCATED, toHexQuantity(logs.at(-1)!.blockNumber));
  }
  return logs;
}

/** All logs of a closed range: block by block from the cache, and runs of blocks that it does not have from history. */
async function appendRange(
  deps: LogQueryDeps,
  list: LogsList,
  { pattern, from, to, signal }: Range & { readonly signal: AbortSignal },
): Promise<void> {
  const key = patternKey(pattern);
  for (let height = from; height <= to; ) {
    const known = deps.logsCache.get(key, height);
    if (known) {
      list.append(known);
      height++;
      continue;
    }
    let end = height;
    while (end < to && !deps.logsCache.get(key, end + 1)) end++;
    await appendRun(deps, list, { pattern, from: height, to: end, signal, key });
    height = end + 1;
  }
}

async function appendRun(
  { history, limits, logsCache }: LogQueryDeps,
  list: LogsList,
  { pattern, from, to, signal, key }: Range & { readonly signal: AbortSignal; readonly key: string },
): Promise<void> {
  const limit = Math.ceil(limits.maxLogBytes / LOG_BYTES_MIN) + 1;
  const { generation } = logsCache;
  const logs = await history.logs({ ...pattern, fromHeight: from, toHeight: to, limit, signal });
  let begin = 0;
  for (let height = from; height <= to; height++) {
    let end = begin;
    while (end < logs.length && logs[end]!.blockNumber === height) end++;
    const texts = end > begin ? await list.write(logs.slice(begin, end)) : [];
    const text = texts.length > 1 ? Buffer.concat(texts) : (texts[0] ?? NOTHING);
    logsCache.put(key, height, { text, generation });
    begin = end;
  }
}
