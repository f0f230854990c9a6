import { param } from '../codec/codec.ts';
import { logCriteriaCodec } from '../codec/logQuery.ts';
import { queryLogs } from '../filters/queryLogs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getLogs = rpcMethod({
  name: 'eth_getLogs',
  params: [param('criteria', logCriteriaCodec)],
  handle: (deps, [criteria], call) => queryLogs(deps, criteria, call),
});
