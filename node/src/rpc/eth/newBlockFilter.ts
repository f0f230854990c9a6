import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Installs a block filter: polls give the hashes of the blocks since. */
export const newBlockFilter = rpcMethod({
  name: 'eth_newBlockFilter',
  summary: 'Installs a filter whose polls give the hashes of new blocks',
  params: [],
  result: QUANTITY,
  handle: ({ filters, chain }) => filters.install({ kind: 'blocks', cursor: chain.height + 1 }),
});
