import { toHexData } from '../../primitives/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rawReceipt } from '../format/rawReceipt.ts';
import { BLOCK_NOT_FOUND } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { mustFindBlock } from './rawBlock.ts';

export const getRawReceipts = rpcMethod({
  name: 'debug_getRawReceipts',
  summary: "Receipts of a block's EVM transactions in Ethereum's consensus form",
  params: [param('block', blockIdCodec)],
  result: arrayOf(DATA),
  needs: ['receipts'],
  errors: [BLOCK_NOT_FOUND],
  handle: (deps, [block]) => {
    const found = mustFindBlock(deps, block);
    return found === 'genesis' ? [] : listedReceipts(found).map((receipt) => toHexData(rawReceipt(receipt)));
  },
});
