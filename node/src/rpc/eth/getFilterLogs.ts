import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { queryLogs } from '../filters/queryLogs.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** All logs that the filter matches, historical ones included. */
export const getFilterLogs = rpcMethod({
  name: 'eth_getFilterLogs',
  params: [param('filterId', stringCodec)],
  handle: (deps, [id], call) => {
    const filter = deps.filters.use(id);
    if (filter.kind === 'blocks')
      throw serverError('filter is a block filter and has no logs; use eth_getFilterChanges');
    return queryLogs(deps, filter.criteria, call);
  },
});
