import { toHexQuantity } from '../../primitives/index.ts';
import { findBlock } from '../blocks/resolveBlock.ts';
import { type BlockId, blockIdCodec, blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { formatGenesisBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { type RpcMethod, rpcMethod } from '../rpcMethod.ts';
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
      params: [param('block', blockIdCodec)],
      result: nullable(arrayOf(ref('LegacyReceipt'))),
      needs: ['receipts'],
      handle: (deps, [block]) => receiptsAnswer(deps, block, list),
    }),
    rpcMethod({
      name: `${namespace}_getBlockTransactionCountByHash`,
      summary: `How many entries a block has with ${what}`,
      params: [param('blockHash', hashCodec)],
      result: nullable(QUANTITY),
      needs: ['blocks', 'receipts'],
      handle: (deps, [block]) => countAnswer(deps, block, list),
    }),
    rpcMethod({
      name: `${namespace}_getBlockTransactionCountByNumber`,
      summary: `How many entries a block has with ${what}`,
      params: [param('block', blockNumberCodec)],
      result: nullable(QUANTITY),
      needs: ['blocks', 'receipts'],
      handle: (deps, [block]) => countAnswer(deps, block, list),
    }),
  ];
}

const BLOCK = { result: nullable(ref('LegacyBlock')), needs: ['blocks', 'receipts'] } as const;

function blockByHash(name: string, list: BlockList, summary: string): RpcMethod {
  return rpcMethod({
    name,
    summary,
    params: [param('blockHash', hashCodec), param('fullTransactions', booleanCodec)],
    ...BLOCK,
    handle: (deps, [block, full]) => blockAnswer(deps, block, { list, full }),
  });
}

function blockByNumber(name: string, list: BlockList, summary: string): RpcMethod {
  return rpcMethod({
    name,
    summary,
    params: [param('block', blockNumberCodec), param('fullTransactions', booleanCodec)],
    ...BLOCK,
    handle: (deps, [block, full]) => blockAnswer(deps, block, { list, full }),
  });
}

function blockAnswer(
  deps: RpcDeps,
  id: BlockId,
  { list, full }: { readonly list: BlockList; readonly full: boolean },
): unknown {
  const found = findBlock(deps, id);
  if (found === 'genesis') return formatGenesisBlock(deps.genesisHash);
  if (!found) return null;
  const source = deps.ledgerSource;
  return formatListedBlock(found, listEntries(found, list, source), { withTransactions: full, source });
}

function receiptsAnswer(deps: RpcDeps, id: BlockId, list: BlockList): unknown {
  const found = findBlock(deps, id);
  if (!found || found === 'genesis') return found ? [] : null;
  const hasReceipt = (entry: ListedEntry) => entry.kind !== 'transfer';
  const entries = listEntries(found, list, deps.ledgerSource).filter(hasReceipt);
  return entries.map(({ receipt }) => formatReceipt(found, receipt));
}

function countAnswer(deps: RpcDeps, id: BlockId, list: BlockList): string | null {
  const found = findBlock(deps, id);
  if (!found || found === 'genesis') return found ? '0x0' : null;
  return toHexQuantity(listEntries(found, list, deps.ledgerSource).length);
}
