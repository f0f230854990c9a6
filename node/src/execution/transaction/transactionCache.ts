import { isResourceError } from '@chain/platform';
import { bytesToHex } from '../../primitives/index.ts';
import { type FaultReport, internalError, isRefusal } from '../faults.ts';
import { ledgerHashOf, type Received, receiveTransaction } from './receivedTransaction.ts';

/** Decoded transactions with their senders: what CheckTx found out, a block need not find out again. */
export interface TransactionCache {
  /** Decodes, or finds what was decoded before. Throws a rejection or LEDGER_REFUSED; refused bytes are not kept. */
  receive(raw: Uint8Array): Received;
  /** Lets go of a transaction that no block will hold: anybody may send any number of those. */
  forget(ledgerHash: Uint8Array): void;
}

/** What a decoded transaction takes beside its bytes, by measure. */
const DECODED_BYTES = 4096;
const sizeOf = ({ raw }: Received): number => raw.length + DECODED_BYTES;

/** Least recently used out first, once the kept transactions take more than `maxBytes`. */
export function createTransactionCache(options: {
  readonly maxBytes: number;
  /** Senders may be named instead of signing: development homes. */
  readonly mayImpersonate?: boolean | undefined;
  readonly report: FaultReport;
}): TransactionCache {
  const kept = new Map<string, Received>();
  let keptBytes = 0;
  const drop = (key: string, received: Received): void => {
    if (kept.delete(key)) keptBytes -= sizeOf(received);
  };
  const evict = (): void => {
    for (const [key, oldest] of kept) {
      if (keptBytes <= options.maxBytes) return;
      drop(key, oldest);
    }
  };
  // The bytes alone decide: no state is read, so that an undeclared exception is the same everywhere.
  const receive = (raw: Uint8Array, hash: Uint8Array): Received => {
    try {
      return receiveTransaction(raw, hash, options.mayImpersonate);
    } catch (error) {
      if (isRefusal(error) || isResourceError(error)) throw error;
      options.report(error, { hash });
      throw internalError(error);
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
      const received = receive(raw, hash);
      kept.set(key, received);
      keptBytes += sizeOf(received);
      evict();
      return received;
    },
    forget: (ledgerHash) => {
      const key = bytesToHex(ledgerHash);
      const received = kept.get(key);
      if (received) drop(key, received);
    },
  };
}
