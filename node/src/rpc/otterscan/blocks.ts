import { listedReceipts } from '../blocks/listedTransactions.ts';
import { findBlock } from '../blocks/resolveBlock.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { pageSizeCodec } from '../codec/pageSize.ts';
import { plainBlockCodec } from '../codec/plainBlock.ts';
import { countCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';
import { blockDetails, blockPage } from './otterscanFormat.ts';

const details = { result: nullable(ref('OtterscanBlockDetails')), needs: ['blocks', 'receipts'] } as const;

/** Blocks as Otterscan lists them; the last transactions of a block are on its first page. */
export const BLOCK_METHODS = [
  rpcMethod({
    name: 'ots_getBlockDetails',
    summary: 'Block without its transactions, with their number and the fees that they paid',
    params: [param('block', plainBlockCodec)],
    ...details,
    handle: (deps, [block]) => blockDetails(findBlock(deps, block), deps.genesisHash),
  }),
  rpcMethod({
    name: 'ots_getBlockDetailsByHash',
    summary: 'As ots_getBlockDetails, by hash',
    params: [param('blockHash', hashCodec)],
    ...details,
    handle: (deps, [hash]) => blockDetails(findBlock(deps, hash), deps.genesisHash),
  }),
  rpcMethod({
    name: 'ots_getBlockTransactions',
    summary: 'A page of the transactions of a block, with their receipts; page 0 holds the last ones',
    params: [param('block', plainBlockCodec), param('page', countCodec), param('pageSize', pageSizeCodec)],
    result: nullable(ref('OtterscanBlockPage')),
    needs: ['blocks', 'receipts'],
    handle: (deps, [block, page, pageSize]) => {
      const found = findBlock(deps, block);
      if (!found || found === 'genesis') return null;
      const count = listedReceipts(found).length;
      const end = Math.max(0, count - page * pageSize);
      return blockPage(found, { start: Math.max(0, end - pageSize), end });
    },
  }),
];
