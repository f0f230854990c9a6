import { Chain } from './chain.ts';
import { chainErrors } from './chainErrors.ts';
import type { ChainOptions, ChainParts } from './chainParts.ts';

/**
 * Takes over parts that have recovered, each by itself, and checks that they came to one height.
 * Throws CHAIN_STORES_DISAGREE, naming every part's height.
 */
export async function openChain(options: ChainOptions, parts: ChainParts): Promise<Chain> {
  const { stateCommit, stateStore, history, changelog } = parts;
  const versions: Record<string, number> = {
    stateCommit: stateCommit.version,
    stateStore: stateStore.latestVersion,
    history: history.latestHeight,
  };
  // After a restore the changelog begins with the next block, and blocks before it are nowhere.
  if (changelog.lastVersion > 0) versions.changelog = changelog.lastVersion;
  else if (history.latestHeight === 0) delete versions.history;
  if (new Set(Object.values(versions)).size > 1) throw chainErrors.disagree(versions);
  return new Chain(options, parts);
}
