import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { subscriptionsOf } from './subscribe.ts';

/** Ends one subscription of this connection. */
export const unsubscribe = rpcMethod({
  name: 'eth_unsubscribe',
  summary: 'End a subscription of this connection; always true',
  transport: 'webSocket',
  params: [param('subscriptionId', stringCodec)],
  result: { const: true },
  errors: [{ code: RPC_CODE.server, message: 'subscription not found' }],
  handle: (_deps, [id], call) => {
    if (!subscriptionsOf(call).remove(id)) throw serverError('subscription not found');
    return true;
  },
});
