import { getFilterChanges } from '../eth/getFilterChanges.ts';
import { getFilterLogs } from '../eth/getFilterLogs.ts';
import { getLogs } from '../eth/getLogs.ts';
import { newBlockFilter } from '../eth/newBlockFilter.ts';
import { newFilter } from '../eth/newFilter.ts';
import { uninstallFilter } from '../eth/uninstallFilter.ts';
import type { RpcMethod } from '../rpcMethod.ts';

const SUMMARIES: readonly (readonly [RpcMethod, string])[] = [
  [getLogs, 'Logs that match a query, synthetic ones included'],
  [newFilter, 'Installs a log filter that also gives synthetic logs'],
  [newBlockFilter, 'Installs a block filter of this namespace'],
  [getFilterChanges, 'What came since the last poll, synthetic logs included'],
  [getFilterLogs, 'All logs that a log filter matches, synthetic ones included'],
  [uninstallFilter, 'Removes a filter of this namespace; tells whether there was one'],
];

/** The `eth_` methods over a namespace of their own: its filters, and synthetic logs (spec G-10). */
export const LOG_METHODS: readonly RpcMethod[] = SUMMARIES.map(([method, summary]) => ({
  ...method,
  name: method.name.replace('eth_', 'chain_'),
  summary,
  given: () => ({ logNamespace: 'chain' as const }),
}));
