import { encodeRlp, toHexData } from '../../primitives/index.ts';
import { asExistingBlock } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { BLOCK_NOT_FOUND } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { rawHeader } from './rawBlock.ts';

export const getRawHeader = rpcMethod({
  name: 'debug_getRawHeader',
  summary: "Header in RLP in Ethereum's order; its keccak is not the block's hash, which is consensus' own",
  params: [resolved(param('block', blockIdCodec), asExistingBlock)],
  result: DATA,
  needs: ['blocks', 'receipts'],
  errors: [BLOCK_NOT_FOUND],
  uses: ['genesisHash'],
  handle: (deps, [block]) => toHexData(encodeRlp(rawHeader(deps, block))),
});
