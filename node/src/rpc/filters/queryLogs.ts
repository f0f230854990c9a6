import { type LogMatch, matchingLogs } from '../../history/index.ts';
import { toHexQuantity } from '../../primitives/index.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import { formatLog } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { logRange } from './logRange.ts';

const TRUNCATED = 'Chain-Logs-Truncated';

/**
 * The logs of a query, in order. An open-ended range gives its first `logsMax` logs; the answer's header then names
 * the block of the last one, from which an indexer can go on (design.md §6, JSON-RPC).
 */
export async function queryLogs(
  deps: RpcDeps,
  criteria: LogCriteria,
  call: RpcCall,
): Promise<Record<string, unknown>[]> {
  const { blockHash, addresses, topics } = criteria;
  const includeSynthetic = deps.logNamespace === 'chain';
  if (blockHash) {
    const record = deps.history.blockByHash(blockHash);
    return record ? [...matchingLogs(record, { addresses, topics, includeSynthetic })].map(formatLog) : [];
  }
  const { from, to, isOpen } = logRange(deps, criteria);
  const limit = deps.limits.logsMax;
  const query = { fromHeight: from, toHeight: to, addresses, topics, includeSynthetic, signal: call.signal };
  if (!isOpen) return (await deps.history.logs(query)).map(formatLog);
  const found: LogMatch[] = await deps.history.logs({ ...query, limit: limit + 1 });
  if (found.length > limit) {
    found.length = limit;
    call.setHeader(TRUNCATED, toHexQuantity(found.at(-1)!.blockNumber));
  }
  return found.map(formatLog);
}
