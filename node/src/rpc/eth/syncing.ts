import { rpcMethod } from '../rpcMethod.ts';

/** The embedded engine makes its own blocks: there is nothing to catch up with. */
export const syncing = rpcMethod({
  name: 'eth_syncing',
  summary: 'False, or how far the node is behind',
  params: [],
  result: { const: false },
  handle: () => false,
});
