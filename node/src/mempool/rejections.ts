import { CodedError } from '@chain/platform';
import type { MempoolLimits } from './limits.ts';

/** What the pool refuses; the texts of json-rpc.md §2.10.5 and geth's, which wallets match on. */
export const rejections = {
  duplicate: () => new CodedError('MEMPOOL_DUPLICATE', 'tx already exists in cache'),
  tooLarge: (size: number, max: number) =>
    new CodedError('MEMPOOL_TX_TOO_LARGE', `Tx too large. Max size is ${max}, but got ${size}`, {
      fields: { size, max },
    }),
  sequence: (expected: bigint, got: bigint) =>
    new CodedError(
      'MEMPOOL_SEQUENCE',
      `account sequence mismatch, expected ${expected}, got ${got}: incorrect account sequence`,
      { fields: { abciCode: 32, codespace: 'sdk', expected, got } },
    ),
  underpriced: (nonce: bigint) =>
    new CodedError('MEMPOOL_UNDERPRICED', 'replacement transaction underpriced', { fields: { nonce } }),
  full: (count: number, bytes: number, limits: MempoolLimits) =>
    new CodedError(
      'MEMPOOL_FULL',
      `mempool is full: number of txs ${count} (max: ${limits.maxTransactions}), total txs bytes ${bytes} (max: ${limits.maxBytes})`,
      { fields: { count, bytes } },
    ),
  accountFull: (count: number) =>
    new CodedError(
      'MEMPOOL_ACCOUNT_FULL',
      `mempool pending set is full: the sender has ${count} transactions`,
      {
        fields: { count },
      },
    ),
} as const;
