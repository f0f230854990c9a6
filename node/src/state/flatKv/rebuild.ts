import type { KeyChange } from '../../types/index.ts';
import type { RangeReads } from '../view/index.ts';
import type { EngineLink, EngineStatus } from './thread/messages.ts';
import { payloadOf } from './thread/payload.ts';

export interface WholeState {
  readonly version: number;
  readonly stores: readonly string[];
  /** Must stay at `version` until the rebuild has ended. */
  readonly state: RangeReads;
}

const PART_ROWS = 2000;

/**
 * Fills a new store with every row of the state and puts it in the place of the old one. The heights of earlier
 * writes are not in the state: every row gets the state's version.
 */
export async function rebuild(thread: EngineLink, source: WholeState): Promise<EngineStatus> {
  await thread.call({ kind: 'rebuild' });
  if (source.version > 0) {
    // One part ahead: the thread writes while the next part is read.
    let writing: Promise<unknown> = Promise.resolve();
    for (const { store, changes } of partsOf(source)) {
      const payload = encodePart(source.version, store, changes);
      await writing;
      writing = thread.call({ kind: 'rows', payload, sync: false });
    }
    await writing;
    await thread.call({ kind: 'rows', payload: encodePart(source.version), sync: true });
  }
  return thread.call({ kind: 'install' });
}

function* partsOf({ stores, state }: WholeState): Iterable<{ store: string; changes: KeyChange[] }> {
  for (const store of stores) {
    let changes: KeyChange[] = [];
    for (const [key, value] of state.iterate(store)) {
      changes.push({ key, value });
      if (changes.length < PART_ROWS) continue;
      yield { store, changes };
      changes = [];
    }
    if (changes.length > 0) yield { store, changes };
  }
}

function encodePart(version: number, store?: string, changes: readonly KeyChange[] = []): Uint8Array {
  const stores = store === undefined ? [] : [{ store, changes }];
  return payloadOf({ version, stores });
}
