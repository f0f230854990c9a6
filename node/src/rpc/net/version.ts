import { rpcMethod } from '../rpcMethod.ts';

/** The chain id in decimal. */
export const version = rpcMethod({
  name: 'net_version',
  params: [],
  handle: ({ evmChainId }) => evmChainId.toString(),
});
