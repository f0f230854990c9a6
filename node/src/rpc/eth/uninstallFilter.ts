import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Whether the filter existed. */
export const uninstallFilter = rpcMethod({
  name: 'eth_uninstallFilter',
  params: [param('filterId', stringCodec)],
  handle: ({ filters }, [id]) => filters.uninstall(id),
});
