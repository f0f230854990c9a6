import type { PointReads } from '../state/view/index.ts';
import { chainErrors } from './chainErrors.ts';
import type { ChainParts } from './chainParts.ts';

/** State after block `version` of those up to `newest`, from SS. Throws CHAIN_HEIGHT_NOT_YET, CHAIN_HEIGHT_PRUNED. */
export function stateAt(
  version: number,
  newest: number,
  { stateStore }: Pick<ChainParts, 'stateStore'>,
): PointReads {
  if (version > newest) throw chainErrors.notYet(version, newest);
  const requireUnpruned = (): void => {
    if (version < stateStore.earliestVersion) throw chainErrors.pruned(version, stateStore.earliestVersion);
  };
  requireUnpruned();
  return {
    get: (store, key) => {
      // A prune may pass the version while a call still runs on it: an error, never an empty account.
      requireUnpruned();
      return stateStore.get(store, key, version);
    },
  };
}
