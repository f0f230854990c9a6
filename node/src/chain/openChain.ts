import { Chain } from './chain.ts';
import { chainErrors } from './chainErrors.ts';
import { type ChainOptions, type ChainParts, heightOf } from './chainParts.ts';

/**
 * Takes over parts that have recovered, each by itself, and checks that they came to one height.
 * Throws CHAIN_STORES_DISAGREE, naming every part's height.
 */
export async function openChain(options: ChainOptions, parts: ChainParts): Promise<Chain> {
  const { stateCommit, stateStore, history, changelog } = parts;
  const at = (version: number) => heightOf(version, options.genesis);
  const versions: Record<string, number> = {
    stateCommit: at(stateCommit.version),
    stateStore: at(stateStore.latestVersion),
  };
  // After a restore the changelog begins with the next block, and blocks before it are nowhere.
  if (changelog.lastVersion > 0) versions.changelog = changelog.lastVersion;
  if (changelog.lastVersion > 0 || at(history.latestHeight) > 0) versions.history = at(history.latestHeight);
  if (new Set(Object.values(versions)).size > 1) throw chainErrors.disagree(versions);
  return new Chain(options, parts);
}
