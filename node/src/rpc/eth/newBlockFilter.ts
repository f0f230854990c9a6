import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Installs a block filter: polls give the hashes of the blocks since. */
export const newBlockFilter = rpcMethod({
  name: 'eth_newBlockFilter',
  summary: 'Installs a filter whose polls give the hashes of new blocks',
  params: [],
  result: QUANTITY,
  uses: ['filters', 'chain', 'logNamespace'],
  handle: ({ filters, chain, logNamespace: namespace }, _none, { client }) =>
    filters.install({ kind: 'blocks' }, chain.height + 1, { namespace, client }),
});
