import { readCode } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { asState } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getCode = rpcMethod({
  name: 'eth_getCode',
  summary: 'Code of a contract; `0x` when there is none',
  params: [
    param('address', addressCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asState),
  ],
  result: DATA,
  needs: ['state'],
  handle: (_deps, [address, state]) => toHexData(readCode(state, address)),
});
