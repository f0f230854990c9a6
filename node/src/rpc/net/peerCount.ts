import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** The embedded engine has no peers. */
export const peerCount = rpcMethod({
  name: 'net_peerCount',
  summary: 'Number of peers',
  params: [],
  result: QUANTITY,
  handle: () => '0x0',
});
