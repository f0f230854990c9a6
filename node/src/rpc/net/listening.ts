import { rpcMethod } from '../rpcMethod.ts';
import { BOOLEAN } from '../schema/valueSchemas.ts';

export const listening = rpcMethod({
  name: 'net_listening',
  summary: 'Whether the node listens for peers',
  params: [],
  result: BOOLEAN,
  handle: () => true,
});
