import { toHexData } from '../../primitives/index.ts';
import { rawTransaction } from '../blocks/rawTransaction.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';

/** The signed bytes of a mined or waiting transaction; null when unknown. */
export const getRawTransactionByHash = rpcMethod({
  name: 'eth_getRawTransactionByHash',
  summary: 'Signed bytes of a mined or waiting transaction; null when unknown',
  params: [param('hash', hashCodec)],
  result: nullable(DATA),
  needs: ['blocks'],
  uses: ['history', 'mempool'],
  handle: (deps, [hash]) => {
    const raw = rawTransaction(deps, hash);
    return raw ? toHexData(raw) : null;
  },
});
