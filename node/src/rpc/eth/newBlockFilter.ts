import { rpcMethod } from '../rpcMethod.ts';

/** Installs a block filter: polls give the hashes of the blocks since. */
export const newBlockFilter = rpcMethod({
  name: 'eth_newBlockFilter',
  params: [],
  handle: ({ filters, chain }) => filters.install({ kind: 'blocks', cursor: chain.height + 1 }),
});
