import { sha256, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { transactionOf } from '../blocks/listedTransactions.ts';
import { blockObject } from '../format/block.ts';
import { formatTransaction } from '../format/transaction.ts';
import type { ListedEntry } from './blockList.ts';
import type { LedgerSource } from './ledgerSource.ts';

const NOTHING = new Uint8Array(0);

/** A block with the entries of a legacy list (spec G-5). */
export function formatListedBlock(
  record: BlockRecord,
  entries: readonly ListedEntry[],
  options: { readonly withTransactions: boolean; readonly source: LedgerSource },
): Record<string, unknown> {
  const { withTransactions, source } = options;
  return blockObject(record, {
    gasUsed: entries.reduce((sum, entry) => sum + gasOf(record, entry), 0n),
    logs: entries.flatMap((entry) => (entry.kind === 'transfer' ? [] : entry.receipt.logs)),
    transactions: entries.map((entry) =>
      withTransactions ? formatEntry(record, entry, source) : toHexData(hashOf(record, entry)),
    ),
  });
}

function formatEntry(record: BlockRecord, entry: ListedEntry, source: LedgerSource): Record<string, unknown> {
  if (entry.kind === 'transfer') {
    const { from, to, valueWei } = entry.transfer;
    return plainTransaction(record, entry, { from, to, input: NOTHING, value: toHexQuantity(valueWei) });
  }
  const { receipt } = entry;
  if (entry.kind === 'transaction') {
    return formatTransaction(transactionOf(record, receipt)!, { record, receipt });
  }
  return plainTransaction(record, entry, {
    ...source.synthetic(record, receipt),
    from: receipt.from,
    value: null,
  });
}

/** A transaction that nobody signed for the EVM: the members of a legacy one, what it does not have is null or 0. */
function plainTransaction(
  record: BlockRecord,
  entry: ListedEntry,
  {
    from,
    to,
    input,
    value,
  }: { from: Uint8Array; to: Uint8Array | null; input: Uint8Array; value: string | null },
): Record<string, unknown> {
  const { id, header } = record.block;
  const index = entry.kind === 'transfer' ? entry.transactionIndex : entry.receipt.transactionIndex;
  return {
    blockHash: toHexData(id.hash),
    blockNumber: toHexQuantity(header.height),
    blockTimestamp: toHexQuantity(header.time.seconds),
    from: toHexData(from),
    gas: '0x0',
    gasPrice: null,
    hash: toHexData(hashOf(record, entry)),
    input: toHexData(input),
    nonce: '0x0',
    to: to && toHexData(to),
    transactionIndex: toHexQuantity(index),
    value,
    type: '0x0',
    v: null,
    r: null,
    s: null,
  };
}

/** Synthetic receipts and transfers go by the hash of their ledger transaction. */
function hashOf(record: BlockRecord, entry: ListedEntry): Uint8Array {
  if (entry.kind !== 'transfer') return entry.receipt.transactionHash;
  return sha256(record.block.txs[entry.transfer.ledgerIndex]!);
}

/** Gas of the EVM, or what the ledger charged for everything else. */
function gasOf({ results }: BlockRecord, entry: ListedEntry): bigint {
  if (entry.kind === 'transaction') return entry.receipt.gasUsed;
  const index = entry.kind === 'transfer' ? entry.transfer.ledgerIndex : entry.receipt.ledgerIndex;
  return results[index]?.gasUsed ?? 0n;
}
