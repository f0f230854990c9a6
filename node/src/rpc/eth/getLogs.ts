import { param } from '../codec/codec.ts';
import { logCriteriaCodec } from '../codec/logQuery.ts';
import { LOG_QUERY_USES, queryLogs } from '../filters/queryLogs.ts';
import { REVERSED_RANGE } from '../methodErrors.ts';
import { RPC_CODE } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';

export const getLogs = rpcMethod({
  name: 'eth_getLogs',
  summary:
    'Logs that match a query; an open-ended range gives its first 10,000, a closed one spans at most 2,000 blocks',
  params: [param('criteria', logCriteriaCodec)],
  result: arrayOf(ref('Log')),
  needs: ['receipts'],
  errors: [REVERSED_RANGE, { code: RPC_CODE.server, message: 'unknown block' }],
  uses: LOG_QUERY_USES,
  handle: (deps, [criteria], call) => queryLogs(deps, criteria, call),
});
