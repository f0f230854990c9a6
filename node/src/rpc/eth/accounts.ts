import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf } from '../schema/jsonSchema.ts';
import { ADDRESS } from '../schema/valueSchemas.ts';

/** Accounts that the node holds keys of: none. */
export const accounts = rpcMethod({
  name: 'eth_accounts',
  summary: 'Accounts that the node holds keys of',
  params: [],
  result: arrayOf(ADDRESS),
  handle: () => [],
});
