import { rpcMethod } from '../rpcMethod.ts';

/** Accounts that the node holds keys of: none. */
export const accounts = rpcMethod({ name: 'eth_accounts', params: [], handle: () => [] });
