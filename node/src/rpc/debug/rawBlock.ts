import { encodeRlp, type RlpItem } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { headerAnswer } from '../blocks/blockAnswer.ts';
import { listedReceipts, transactionOf } from '../blocks/listedTransactions.ts';
import type { FoundBlock } from '../blocks/resolveBlock.ts';
import { headerRlp, transactionRlp } from '../format/blockRlp.ts';
import type { RpcDeps } from '../rpcDeps.ts';

type Existing = NonNullable<FoundBlock>;

/**
 * The header object in RLP, in Ethereum's order. The block's hash is consensus' own (SHA-256), so that the keccak of
 * these bytes is not the hash of the block.
 */
export function rawHeader(deps: Pick<RpcDeps, 'genesisHash'>, block: Existing): RlpItem {
  return headerRlp(headerAnswer(deps, block)!);
}

/** Header, transactions, no uncles. A typed transaction is a string, as EIP-2718 has it. */
export function rawBlock(deps: Pick<RpcDeps, 'genesisHash'>, block: Existing): Uint8Array {
  const transactions = block === 'genesis' ? [] : rawTransactions(block);
  return encodeRlp([rawHeader(deps, block), transactions, []]);
}

function rawTransactions(record: BlockRecord): RlpItem[] {
  return listedReceipts(record).flatMap((receipt) => {
    const transaction = transactionOf(record, receipt);
    return transaction ? [transactionRlp(transaction)] : [];
  });
}
