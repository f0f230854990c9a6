import type { Chain } from '../chain/index.ts';
import { bankSendsOf, syntheticInputOf } from '../ledger/index.ts';
import type { LedgerSource } from '../rpc/index.ts';

/** What legacy lists show beside EVM transactions: bank sends, and what stands behind synthetic receipts. */
export function openLedgerSource(chain: Pick<Chain, 'newestState'>): LedgerSource {
  return {
    // An association is for good, so the newest state knows all that any older one knew.
    transfers: (record) => bankSendsOf(record, chain.newestState),
    synthetic: (record, receipt) => ({ input: syntheticInputOf(record, receipt), to: receipt.to }),
  };
}
