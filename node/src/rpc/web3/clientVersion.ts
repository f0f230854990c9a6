import { rpcMethod } from '../rpcMethod.ts';
import { STRING } from '../schema/valueSchemas.ts';

export const clientVersion = rpcMethod({
  name: 'web3_clientVersion',
  summary: 'Name and version of the node',
  params: [],
  result: STRING,
  uses: ['clientVersion'],
  handle: (deps) => deps.clientVersion,
});
