import type { BatchOperation } from '../../../db/index.ts';
import type { ReadRow } from '../keyHistory.ts';
import type { Pace } from './pace.ts';

/** What a change to a key's history needs beside its head. */
export interface HistoryEdit {
  readonly read: ReadRow;
  /** Takes the changes of pages and of values in rows of their own. */
  readonly operations: BatchOperation[];
  readonly pace: Pace;
}

/** A new head, `null` when nothing of the key is left, `undefined` when nothing changes. */
export type EditedHead = Uint8Array | null | undefined;

export const NOTHING = new Uint8Array(0);
