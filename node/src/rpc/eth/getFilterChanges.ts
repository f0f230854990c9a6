import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { filterChanges } from '../filters/filterChanges.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Logs, or block hashes, since the last poll. */
export const getFilterChanges = rpcMethod({
  name: 'eth_getFilterChanges',
  params: [param('filterId', stringCodec)],
  handle: (deps, [id]) => filterChanges(deps, deps.filters.use(id)),
});
