import { toHexData } from '../../primitives/index.ts';
import { rawTransaction } from '../blocks/rawTransaction.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { TRANSACTION_NOT_FOUND } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getRawTransaction = rpcMethod({
  name: 'debug_getRawTransaction',
  summary: 'Signed bytes of a mined or waiting transaction',
  params: [param('hash', hashCodec)],
  result: DATA,
  errors: [TRANSACTION_NOT_FOUND],
  uses: ['history', 'mempool'],
  handle: (deps, [hash]) => {
    const raw = rawTransaction(deps, hash);
    if (!raw) throw serverError('transaction not found');
    return toHexData(raw);
  },
});
