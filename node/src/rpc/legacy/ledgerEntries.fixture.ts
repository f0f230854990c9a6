import { bytesToBigint, sha256, utf8 } from '../../primitives/index.ts';
import { type BlockRecord, type EvmLog, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import { ACCOUNTS, FRIEND, word } from '../testTransactions.fixture.ts';
import type { LedgerSource } from './ledgerSource.ts';

// A ledger as the legacy tests want it: some blocks also hold a transaction with a synthetic receipt, one with two
// bank transfers, and one with both.

export const POINTER = new Uint8Array(20).fill(0xb0);
export const LEDGER_GAS = 77_000n;
export const SHELL = utf8('ledger transaction with a shell receipt');
export const BANK = utf8('ledger transaction with two bank sends');
export const BOTH = utf8('ledger transaction with a send and a shell receipt');
/** Heights that are given ledger transactions: before, between and behind the EVM transactions. */
const PLACES: Readonly<Record<number, readonly (readonly [at: number, raw: Uint8Array])[]>> = {
  2: [
    [1, SHELL],
    [3, BANK],
    [6, BOTH],
  ],
};

const isIn = (list: readonly Uint8Array[], raw: Uint8Array) =>
  list.some((one) => Buffer.compare(one, raw) === 0);

/** What history keeps: the EVM's block, and the ledger's entries at their places. */
export function withLedgerEntries(record: BlockRecord): BlockRecord {
  let kept = record;
  for (const [at, raw] of PLACES[record.block.header.height] ?? []) kept = insert(kept, at, raw);
  return { ...kept, receipts: numbered(kept.receipts) };
}

function insert(record: BlockRecord, at: number, raw: Uint8Array): BlockRecord {
  const { block, results, receipts } = record;
  const moved = receipts.map((receipt) =>
    receipt.ledgerIndex < at ? receipt : { ...receipt, ledgerIndex: receipt.ledgerIndex + 1 },
  );
  const result = { ...results[0]!, gasUsed: LEDGER_GAS, log: 'of the ledger' };
  const shell = isIn([SHELL, BOTH], raw) ? [shellReceipt(record, at, raw)] : [];
  return {
    ...record,
    block: { ...block, txs: block.txs.toSpliced(at, 0, raw) },
    results: results.toSpliced(at, 0, result),
    receipts: [...moved, ...shell].sort((a, b) => a.ledgerIndex - b.ledgerIndex),
  };
}

function shellReceipt({ block }: BlockRecord, ledgerIndex: number, raw: Uint8Array): Receipt {
  const logs: EvmLog[] = [1, 2].map((value) => ({ address: POINTER, topics: [word(value)], data: raw }));
  return {
    transactionHash: sha256(raw),
    blockNumber: block.header.height,
    ledgerIndex,
    transactionIndex: 0,
    type: SYNTHETIC_TYPE,
    from: ACCOUNTS[2]!,
    to: POINTER,
    contractAddress: POINTER,
    status: 1,
    gasUsed: 60_000n,
    cumulativeGasUsed: 60_000n,
    effectiveGasPrice: 0n,
    logs,
    firstLogIndex: 0,
    vmError: '',
    returnData: new Uint8Array(0),
  };
}

function numbered(receipts: readonly Receipt[]): Receipt[] {
  let firstLogIndex = 0;
  return receipts.map((receipt, transactionIndex) => {
    const placed = { ...receipt, transactionIndex, firstLogIndex };
    firstLogIndex += receipt.logs.length;
    return placed;
  });
}

/** Knows the transactions above. */
export const TEST_LEDGER: LedgerSource = {
  synthetic: (record, { ledgerIndex }) => ({ input: record.block.txs[ledgerIndex]!, to: POINTER }),
  transfers: ({ block }) =>
    block.txs.flatMap((raw, ledgerIndex) => {
      const sends = isIn([BANK], raw) ? 2 : isIn([BOTH], raw) ? 1 : 0;
      return Array.from({ length: sends }, (_, i) => ({
        ledgerIndex,
        from: ACCOUNTS[0]!,
        to: FRIEND,
        valueWei: bytesToBigint(word(i + 1)) * 10n ** 12n,
        isSynthetic: isIn([BOTH], raw),
      }));
    }),
};
