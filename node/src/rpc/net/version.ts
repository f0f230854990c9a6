import { rpcMethod } from '../rpcMethod.ts';

/** The chain id in decimal. */
export const version = rpcMethod({
  name: 'net_version',
  summary: 'EVM chain id in decimal',
  params: [],
  result: { type: 'string', pattern: '^[0-9]+$' },
  uses: ['evmChainId'],
  handle: ({ evmChainId }) => evmChainId.toString(),
});
