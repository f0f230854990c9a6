import { bytesToHex } from '../../primitives/index.ts';
import { ledgerHashOf, type Received, receiveTransaction } from './receivedTransaction.ts';

/** Decoded transactions with their senders: what CheckTx found out, a block need not find out again. */
export interface TransactionCache {
  /** Decodes, or finds what was decoded before. Throws a rejection or LEDGER_REFUSED; refused bytes are not kept. */
  receive(raw: Uint8Array): Received;
}

/** Least recently used out first, once the kept transactions are more than `maxBytes` of ledger bytes. */
export function createTransactionCache(options: {
  readonly maxBytes: number;
  /** Senders may be named instead of signing: development homes. */
  readonly mayImpersonate?: boolean | undefined;
}): TransactionCache {
  const kept = new Map<string, Received>();
  let keptBytes = 0;
  const evict = (): void => {
    for (const [key, oldest] of kept) {
      if (keptBytes <= options.maxBytes) return;
      kept.delete(key);
      keptBytes -= oldest.raw.length;
    }
  };
  return {
    receive: (raw) => {
      const hash = ledgerHashOf(raw);
      const key = bytesToHex(hash);
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const received = receiveTransaction(raw, hash, options.mayImpersonate);
      kept.set(key, received);
      keptBytes += raw.length;
      evict();
      return received;
    },
  };
}
