import { asBlock } from '../blocks/blockResolvers.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { pageSizeCodec } from '../codec/pageSize.ts';
import { plainBlockCodec } from '../codec/plainBlock.ts';
import { countCodec } from '../codec/plainCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';
import { blockDetails, blockPage } from './otterscanFormat.ts';

const details = { result: nullable(ref('OtterscanBlockDetails')), needs: ['blocks', 'receipts'] } as const;

/** Blocks as Otterscan lists them; the last transactions of a block are on its first page. */
export const BLOCK_METHODS = [
  rpcMethod({
    name: 'ots_getBlockDetails',
    summary: 'Block without its transactions, with their number and the fees that they paid',
    params: [resolved(param('block', plainBlockCodec), asBlock)],
    ...details,
    uses: ['genesisHash'],
    handle: ({ genesisHash }, [block]) => blockDetails(block, genesisHash),
  }),
  rpcMethod({
    name: 'ots_getBlockDetailsByHash',
    summary: 'As ots_getBlockDetails, by hash',
    params: [resolved(param('blockHash', hashCodec), asBlock)],
    ...details,
    uses: ['genesisHash'],
    handle: ({ genesisHash }, [block]) => blockDetails(block, genesisHash),
  }),
  rpcMethod({
    name: 'ots_getBlockTransactions',
    summary: 'A page of the transactions of a block, with their receipts; page 0 holds the last ones',
    params: [
      resolved(param('block', plainBlockCodec), asBlock),
      param('page', countCodec),
      param('pageSize', pageSizeCodec),
    ],
    result: nullable(ref('OtterscanBlockPage')),
    needs: ['blocks', 'receipts'],
    handle: (_deps, [block, page, pageSize]) => {
      if (!block || block === 'genesis') return null;
      const count = listedReceipts(block).length;
      const end = Math.max(0, count - page * pageSize);
      return blockPage(block, { start: Math.max(0, end - pageSize), end });
    },
  }),
];
