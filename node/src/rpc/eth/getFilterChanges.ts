import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { FILTER_CHANGES_USES, filterChanges } from '../filters/filterChanges.ts';
import { NO_SUCH_FILTER } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, ref } from '../schema/jsonSchema.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** Logs, or block hashes, since the last poll. */
export const getFilterChanges = rpcMethod({
  name: 'eth_getFilterChanges',
  summary: 'What came since the last poll: logs, or hashes of a block or transaction filter',
  params: [param('filterId', stringCodec)],
  result: { anyOf: [arrayOf(ref('Log')), arrayOf(HASH)] },
  errors: [NO_SUCH_FILTER],
  uses: ['filters', ...FILTER_CHANGES_USES],
  handle: (deps, [id], { signal }) => filterChanges(deps, deps.filters.use(id, deps.logNamespace), signal),
});
