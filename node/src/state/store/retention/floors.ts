import type { BaseStore, EvmStore } from '../stateMember.ts';

interface Stores {
  readonly base: BaseStore;
  readonly evm?: EvmStore | undefined;
}

/**
 * Moves the floors of all databases together: what is meant is on disk before the first one moves, so that a
 * start after a crash can finish the move (`healFloors`). Nothing may be deleted before it resolves.
 */
export async function raiseFloors({ base, evm }: Stores, floor: number): Promise<void> {
  const from = base.markers?.earliest ?? 0;
  if (floor <= from) return;
  if (evm) {
    await base.intend({ from, to: floor });
    await evm.raiseFloor(floor);
  }
  await base.raiseFloor(floor);
}

/**
 * Finishes a move of the floors that a crash cut short; returns the floor when there was one. Databases that
 * stand at neither end of the move do not belong together: they stay as they are, for check 3 to refuse.
 */
export async function healFloors({ base, evm }: Stores): Promise<number | undefined> {
  const { intent } = base;
  if (intent === undefined) return undefined;
  const belong = (floor: number | undefined): boolean => floor === intent.from || floor === intent.to;
  if (![...base.floors, ...(evm?.floors ?? [])].every(belong)) return undefined;
  await evm?.raiseFloor(intent.to);
  await base.raiseFloor(intent.to);
  return intent.to;
}
