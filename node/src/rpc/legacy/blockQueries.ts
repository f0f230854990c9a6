import { toHexQuantity } from '../../primitives/index.ts';
import { asBlock } from '../blocks/blockResolvers.ts';
import type { FoundBlock } from '../blocks/resolveBlock.ts';
import { blockIdCodec, blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { formatGenesisBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { type RpcMethod, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import { type BlockList, type ListedEntry, listEntries, withoutTraceFails } from './blockList.ts';
import { formatListedBlock } from './formatEntry.ts';

/** The seven block queries that both namespaces have, over what the namespace lists (spec G-6). */
export function blockQueries(namespace: 'chain' | 'chain2', list: BlockList, what: string): RpcMethod[] {
  const excluding = withoutTraceFails(list);
  return [
    blockByHash(`${namespace}_getBlockByHash`, list, `Block by hash with ${what}`),
    blockByNumber(`${namespace}_getBlockByNumber`, list, `Block by number with ${what}`),
    blockByHash(
      `${namespace}_getBlockByHashExcludeTraceFail`,
      excluding,
      'Block by hash without what failed before it ran',
    ),
    blockByNumber(
      `${namespace}_getBlockByNumberExcludeTraceFail`,
      excluding,
      'Block by number without what failed before it ran',
    ),
    rpcMethod({
      name: `${namespace}_getBlockReceipts`,
      summary: 'Receipts of a block, synthetic ones included',
      params: [resolved(param('block', blockIdCodec), asBlock)],
      result: nullable(arrayOf(ref('LegacyReceipt'))),
      needs: ['receipts'],
      uses: ['ledgerSource'],
      handle: (deps, [block]) => receiptsAnswer(deps, block, list),
    }),
    rpcMethod({
      name: `${namespace}_getBlockTransactionCountByHash`,
      summary: `How many entries a block has with ${what}`,
      params: [resolved(param('blockHash', hashCodec), asBlock)],
      result: nullable(QUANTITY),
      needs: ['blocks', 'receipts'],
      uses: ['ledgerSource'],
      handle: (deps, [block]) => countAnswer(deps, block, list),
    }),
    rpcMethod({
      name: `${namespace}_getBlockTransactionCountByNumber`,
      summary: `How many entries a block has with ${what}`,
      params: [resolved(param('block', blockNumberCodec), asBlock)],
      result: nullable(QUANTITY),
      needs: ['blocks', 'receipts'],
      uses: ['ledgerSource'],
      handle: (deps, [block]) => countAnswer(deps, block, list),
    }),
  ];
}

const BLOCK_USES = ['ledgerSource', 'genesisHash'] as const;
const BLOCK = {
  uses: BLOCK_USES,
  result: nullable(ref('LegacyBlock')),
  needs: ['blocks', 'receipts'],
} as const;

function blockByHash(name: string, list: BlockList, summary: string): RpcMethod {
  return rpcMethod({
    name,
    summary,
    params: [resolved(param('blockHash', hashCodec), asBlock), param('fullTransactions', booleanCodec)],
    ...BLOCK,
    handle: (deps, [block, full]) => blockAnswer(deps, block, { list, full }),
  });
}

function blockByNumber(name: string, list: BlockList, summary: string): RpcMethod {
  return rpcMethod({
    name,
    summary,
    params: [resolved(param('block', blockNumberCodec), asBlock), param('fullTransactions', booleanCodec)],
    ...BLOCK,
    handle: (deps, [block, full]) => blockAnswer(deps, block, { list, full }),
  });
}

function blockAnswer(
  { genesisHash, ledgerSource: source }: Uses<typeof BLOCK_USES>,
  found: FoundBlock,
  { list, full }: { readonly list: BlockList; readonly full: boolean },
): unknown {
  if (found === 'genesis') return formatGenesisBlock(genesisHash);
  if (!found) return null;
  return formatListedBlock(found, listEntries(found, list, source), { withTransactions: full, source });
}

function receiptsAnswer(
  { ledgerSource }: Pick<RpcDeps, 'ledgerSource'>,
  found: FoundBlock,
  list: BlockList,
): unknown {
  if (!found || found === 'genesis') return found ? [] : null;
  const hasReceipt = (entry: ListedEntry) => entry.kind !== 'transfer';
  const entries = listEntries(found, list, ledgerSource).filter(hasReceipt);
  return entries.map(({ receipt }) => formatReceipt(found, receipt));
}

function countAnswer(
  { ledgerSource }: Pick<RpcDeps, 'ledgerSource'>,
  found: FoundBlock,
  list: BlockList,
): string | null {
  if (!found || found === 'genesis') return found ? '0x0' : null;
  return toHexQuantity(listEntries(found, list, ledgerSource).length);
}
