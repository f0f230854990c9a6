import { CodedError } from '@chain/platform';
import type { EntryBudget } from './entry.ts';
import type { Subpool } from './subpool.ts';

const counts = ({ count, bytes, limits }: Subpool): string =>
  `number of txs ${count} (max: ${limits.count}), total txs bytes ${bytes} (max: ${limits.bytes})`;

const full = (what: string, { count, bytes }: Subpool, why: string) =>
  new CodedError('MEMPOOL_FULL', `${what}: ${why}`, { fields: { count, bytes } });

/** What the pool refuses; the texts of spec R-18 and geth's, which wallets match on. */
export const rejections = {
  duplicate: () => new CodedError('MEMPOOL_DUPLICATE', 'tx already exists in cache: already known'),
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
  replacement: (nonce: bigint, percent: number) =>
    new CodedError(
      'MEMPOOL_UNDERPRICED',
      `replacement transaction underpriced: nonce ${nonce} is taken; raise max fee and tip by ${percent} %`,
      { fields: { nonce } },
    ),
  funds: ({ balance, promised }: EntryBudget, cost: bigint) =>
    new CodedError(
      'MEMPOOL_FUNDS',
      `insufficient funds for gas * price + value: balance ${balance}, queued cost ${promised}, tx cost ${cost}, overshot ${promised + cost - balance}`,
      { fields: { abciCode: 5, codespace: 'sdk', balance, promised, cost } },
    ),
  /** `tip` in wei: what one must offer more than; none would do where it is missing. */
  full: (pool: Subpool, tip: bigint | undefined) =>
    full(
      `mempool is full: ${counts(pool)}`,
      pool,
      tip === undefined ? 'txpool is full' : `transaction underpriced: the cheapest has a tip of ${tip} wei`,
    ),
  queueFull: (pool: Subpool) =>
    full(`mempool pending set is full: ${counts(pool)}`, pool, 'future transaction tries to replace pending'),
  accountFull: (count: number) =>
    new CodedError(
      'MEMPOOL_ACCOUNT_FULL',
      `mempool pending set is full: the sender has ${count} transactions; wait for a block`,
      { fields: { count } },
    ),
} as const;
