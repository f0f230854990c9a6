import { CodedError } from '@chain/platform';
import type { Extent } from './rows.ts';

export const historyErrors = {
  gap: (height: number, expected: number) =>
    new CodedError('HISTORY_GAP', `block ${height} cannot follow: history goes on at ${expected}`, {
      fields: { height, expected },
    }),
  notEmpty: ({ first, last }: Extent) =>
    new CodedError(
      'HISTORY_NOT_EMPTY',
      `history holds blocks ${first} to ${last}; wipe data/history before a restore`,
      { fields: { first, last } },
    ),
  eventsOff: () =>
    new CodedError(
      'HISTORY_EVENTS_OFF',
      'events are not indexed; set [tx_index] indexer = "kv" in config.toml',
    ),
  eventsTooMany: (tag: string, max: number) =>
    new CodedError(
      'HISTORY_EVENTS_TOO_MANY',
      `more than ${max} transactions have ${tag}; narrow the search by tx.height`,
      { fields: { tag, max } },
    ),
  otherBlock: (height: number) =>
    new CodedError(
      'HISTORY_OTHER_BLOCK',
      `history does not hold the block ${height} that is to be completed, or another one of that height`,
      { fields: { height } },
    ),
  truncateRange: (height: number, { first, last }: Extent) =>
    new CodedError(
      'HISTORY_TRUNCATE_RANGE',
      `history holds blocks ${first} to ${last} and cannot go back to ${height}; choose a height that it holds, or state sync`,
      { fields: { height, first, last } },
    ),
} as const;
