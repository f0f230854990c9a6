import { rpcMethod } from '../rpcMethod.ts';

/** The embedded engine makes its own blocks: there is nothing to catch up with. */
export const syncing = rpcMethod({ name: 'eth_syncing', params: [], handle: () => false });
