import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { LOG_QUERY_USES, queryLogs } from '../filters/queryLogs.ts';
import { NO_SUCH_FILTER } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';

/** All logs that the filter matches, historical ones included. */
export const getFilterLogs = rpcMethod({
  name: 'eth_getFilterLogs',
  summary: 'All logs that a log filter matches, historical ones included',
  params: [param('filterId', stringCodec)],
  result: arrayOf(ref('Log')),
  needs: ['receipts'],
  errors: [NO_SUCH_FILTER],
  uses: ['filters', ...LOG_QUERY_USES],
  handle: (deps, [id], call) => {
    const filter = deps.filters.use(id, deps.logNamespace);
    if (filter.kind !== 'logs') {
      const kind = filter.kind === 'blocks' ? 'block' : 'transaction';
      throw serverError(`filter is a ${kind} filter and has no logs; use eth_getFilterChanges`);
    }
    return queryLogs(deps, filter.criteria, call);
  },
});
