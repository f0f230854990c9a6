import { toHexData } from '../../primitives/index.ts';
import { asExistingBlock } from '../blocks/blockResolvers.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rawReceipt } from '../format/rawReceipt.ts';
import { BLOCK_NOT_FOUND } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getRawReceipts = rpcMethod({
  name: 'debug_getRawReceipts',
  summary: "Receipts of a block's EVM transactions in Ethereum's consensus form",
  params: [resolved(param('block', blockIdCodec), asExistingBlock)],
  result: arrayOf(DATA),
  needs: ['receipts'],
  errors: [BLOCK_NOT_FOUND],
  handle: (_deps, [block]) =>
    block === 'genesis' ? [] : listedReceipts(block).map((receipt) => toHexData(rawReceipt(receipt))),
});
