import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { BOOLEAN } from '../schema/valueSchemas.ts';

/** Whether the filter existed. */
export const uninstallFilter = rpcMethod({
  name: 'eth_uninstallFilter',
  summary: 'Removes a filter; whether there was one',
  params: [param('filterId', stringCodec)],
  result: BOOLEAN,
  uses: ['filters', 'logNamespace'],
  handle: ({ filters, logNamespace }, [id]) => filters.uninstall(id, logNamespace),
});
