import { toHexData } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf } from '../schema/jsonSchema.ts';
import { ADDRESS } from '../schema/valueSchemas.ts';

/** Accounts that the node holds keys of: those of a development home, and none elsewhere. */
export const accounts = rpcMethod({
  name: 'eth_accounts',
  summary: 'Accounts that the node holds keys of: none but in a development home',
  params: [],
  result: arrayOf(ADDRESS),
  uses: ['development'],
  handle: ({ development }) =>
    development?.controls.accounts.map(({ evmAddress }) => toHexData(evmAddress)) ?? [],
});
