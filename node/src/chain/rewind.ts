import { bytesToHex, equalBytes, mapKeyOf } from '../primitives/index.ts';
import type { OlderState } from '../state/commit/index.ts';
import type { BlockRecord, StoreChanges } from '../types/index.ts';
import { chainErrors } from './chainErrors.ts';
import type { ChainParts } from './chainParts.ts';

/** What must hold around taking blocks back, for a crash in the midst of it to be finished by the next start. */
export interface RewindHooks {
  /** Nothing hinders and nothing has changed. `next` is the lowest block that goes. */
  begin(next: BlockRecord): Promise<void>;
  /** Every store is there. */
  end(): Promise<void>;
}

/**
 * Told of the newest height that will be left, while what goes can still be read; nothing has changed when it throws.
 * What it gives is called once the blocks are gone.
 */
export type RewindListener = (height: number) => (() => void) | Promise<() => void>;

/** All that is needed to move the stores. */
export interface RewindPlan {
  readonly height: number;
  readonly next: BlockRecord;
  readonly older: OlderState;
}

/** Checks that every store can follow; changes nothing. Throws CHAIN_CANNOT_GO_BACK. */
export async function planRewind(
  height: number,
  initialHeight: number,
  parts: ChainParts,
): Promise<RewindPlan> {
  const { changelog, stateCommit, stateStore, history } = parts;
  const lowest = Math.max(
    initialHeight,
    stateCommit.lowestReachable ?? Number.POSITIVE_INFINITY,
    changelog.firstVersion - 1,
    stateStore.earliestVersion,
    history.earliestReceiptHeight,
  );
  const next = history.blockByHeight(height + 1);
  if (height < lowest || !next) throw chainErrors.cannotRewind(height, lowest);
  const older = await stateCommit.prepareRewind(height);
  if (equalBytes(older.appHash, next.block.header.appHash)) return { height, next, older };
  older.drop();
  throw chainErrors.olderStateDiffers(
    height,
    bytesToHex(older.appHash),
    bytesToHex(next.block.header.appHash),
  );
}

/** What is to be called once the blocks are gone. */
export async function notifyRewind(
  { height, older }: RewindPlan,
  listeners: Iterable<RewindListener>,
): Promise<(() => void)[]> {
  try {
    const gone: (() => void)[] = [];
    for (const listener of listeners) gone.push(await listener(height));
    return gone;
  } catch (error) {
    older.drop();
    throw error;
  }
}

/** Each step can be done again; the changelog, which the others need, is cut last. */
export async function applyRewind({ height, older }: RewindPlan, parts: ChainParts): Promise<void> {
  const { changelog, stateStore, history, flatKv } = parts;
  await stateStore.rewind(height, changelog);
  await older.take();
  if (flatKv) await flatKv.rewind({ version: height, stores: rowsAt(height, parts) });
  await history.rewind(height);
  await changelog.rewind(height);
}

/** Every row that blocks above `height` have written, as it was then. */
function rowsAt(
  height: number,
  { changelog, stateStore }: Pick<ChainParts, 'changelog' | 'stateStore'>,
): StoreChanges[] {
  const keys = new Map<string, Map<string, Uint8Array>>();
  for (const { changes } of changelog.read(height + 1)) {
    for (const { store, changes: rows } of changes.stores) {
      const written = keys.get(store) ?? new Map<string, Uint8Array>();
      keys.set(store, written);
      for (const { key } of rows) written.set(mapKeyOf(key), key);
    }
  }
  return [...keys].map(([store, written]) => ({
    store,
    changes: [...written.values()].map((key) => ({ key, value: stateStore.get(store, key, height) ?? null })),
  }));
}
