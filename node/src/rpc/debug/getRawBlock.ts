import { toHexData } from '../../primitives/index.ts';
import { asExistingBlock } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { BLOCK_NOT_FOUND } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { rawBlock } from './rawBlock.ts';

export const getRawBlock = rpcMethod({
  name: 'debug_getRawBlock',
  summary: "Block in RLP: header, EVM transactions, no uncles, in Ethereum's order",
  params: [resolved(param('block', blockIdCodec), asExistingBlock)],
  result: DATA,
  needs: ['blocks', 'receipts'],
  errors: [BLOCK_NOT_FOUND],
  uses: ['genesisHash'],
  handle: (deps, [block]) => toHexData(rawBlock(deps, block)),
});
