import { rpcMethod } from '../rpcMethod.ts';

export const clientVersion = rpcMethod({
  name: 'web3_clientVersion',
  params: [],
  handle: (deps) => deps.clientVersion,
});
