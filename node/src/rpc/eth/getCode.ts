import { readCode } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { stateOf } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getCode = rpcMethod({
  name: 'eth_getCode',
  params: [param('address', addressCodec), param('block', blockIdCodec)],
  handle: (deps, [address, block]) => toHexData(readCode(stateOf(deps, block), address)),
});
