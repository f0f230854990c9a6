import { param } from '../codec/codec.ts';
import { addressCodec, dataCodec } from '../codec/hexCodecs.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';

const NO_KEY = 'address does not have hosted key';

/** A node keeps no keys of accounts: whoever has the key signs. */
export const sign = rpcMethod({
  name: 'chain_sign',
  summary: 'Refused: the node keeps no keys of accounts',
  params: [param('address', addressCodec), param('data', dataCodec)],
  result: DATA,
  errors: [{ code: RPC_CODE.server, message: NO_KEY }],
  handle: () => {
    throw serverError(NO_KEY);
  },
});
