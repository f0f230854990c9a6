import { type JobBase, jobKind } from './jobKind.ts';

/** Waiting transactions and the block that they would go into. */
export interface PendingParams {
  readonly base: JobBase;
  /** Ledger bytes, in their order. */
  readonly txs: readonly Uint8Array[];
}

/** Runs a block of waiting transactions, which nobody has decided. */
export const pendingJob = jobKind({
  group: 'simulation',
  run: async ({ base, txs }: PendingParams, { execution, stateOf, interrupt }) => {
    const input = { context: base.context, txs, interrupt };
    const { stores, receipts, nextBaseFee } = await execution.replayTransactions(input, stateOf(base));
    return { stores, receipts, nextBaseFee };
  },
});
