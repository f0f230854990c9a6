import { readCode } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { readState } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getCode = rpcMethod({
  name: 'eth_getCode',
  summary: 'Code of a contract; `0x` when there is none',
  params: [param('address', addressCodec), optionalParam('block', blockIdCodec, 'latest' as const)],
  result: DATA,
  needs: ['state'],
  handle: (deps, [address, block]) => readState(deps, block, (state) => toHexData(readCode(state, address))),
});
