import { type LogMatch, matchingLogs } from '../../history/index.ts';
import { toHexQuantity } from '../../primitives/index.ts';
import { requireHeld } from '../blocks/floors.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import { logsJson } from '../format/logsJson.ts';
import type { RawJson } from '../rawJson.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall } from '../rpcMethod.ts';
import { logRange } from './logRange.ts';

const TRUNCATED = 'Chain-Logs-Truncated';

/** A log as JSON is never shorter: more logs than fit are not even looked for. */
const LOG_BYTES_MIN = 400;

/**
 * The logs of a query as JSON, in order. An open-ended range gives its first `logsMax` logs; the answer's header
 * then names the block of the last one, from which an indexer can go on (design.md §6, JSON-RPC).
 */
export async function queryLogs(deps: RpcDeps, criteria: LogCriteria, call: RpcCall): Promise<RawJson> {
  const { logsMax, logBytesMax: bytesMax } = deps.limits;
  const { signal } = call;
  const { logs, isOpen } = await findLogs(deps, criteria, signal);
  if (isOpen && logs.length > logsMax) {
    logs.length = logsMax;
    call.setHeader(TRUNCATED, toHexQuantity(logs.at(-1)!.blockNumber));
  }
  return logsJson(logs, { bytesMax, signal }, deps.logsWriter);
}

async function findLogs(
  deps: RpcDeps,
  criteria: LogCriteria,
  signal: AbortSignal,
): Promise<{ readonly logs: LogMatch[]; readonly isOpen: boolean }> {
  const { blockHash, addresses, topics } = criteria;
  const pattern = { addresses, topics, includeSynthetic: deps.logNamespace === 'chain' };
  if (blockHash) {
    const record = deps.history.blockByHash(blockHash);
    if (record) requireHeld(deps, record.block.header.height, ['receipts']);
    return { logs: record ? [...matchingLogs(record, pattern)] : [], isOpen: false };
  }
  const { from, to, isOpen } = logRange(deps, criteria);
  const { logsMax, logBytesMax } = deps.limits;
  const limit = isOpen ? logsMax + 1 : Math.ceil(logBytesMax / LOG_BYTES_MIN) + 1;
  const logs = await deps.history.logs({ ...pattern, fromHeight: from, toHeight: to, limit, signal });
  return { logs, isOpen };
}
