import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppConfig } from '../../config/index.ts';
import { type StateDirectories, stateDirectories } from '../stateDirectories.ts';
import { mirrorDirectory } from './mirrorDirectory.ts';

/**
 * A temporary home that looks like another one: a start can be tried in it, and stores opened, without any change
 * to the original, also while its node runs. What that node has only in memory is not in it.
 */
export interface ShadowHome {
  readonly home: string;
  readonly config: AppConfig;
  /** Where a directory of the original is mirrored. */
  shadowOf(directory: string): string;
  /** A message with the names of the original. */
  named(text: string): string;
  remove(): Promise<void>;
}

export async function makeShadowHome(
  original: { readonly home: string; readonly config: AppConfig },
  options: { readonly copySegments?: boolean } = {},
): Promise<ShadowHome> {
  const home = await mkdtemp(join(tmpdir(), 'chaind-shadow-'));
  const config = shadowConfig(home, original.config);
  const remove = () => rm(home, { recursive: true, force: true });
  const pairs = pairsOf(original, { home, config });
  try {
    for (const [from, to] of pairs) await mirrorDirectory(from, to, options);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    home,
    config,
    shadowOf: (directory) => pairs.find(([from]) => from === directory)![1],
    named: (text) => named(text, [...pairs, [original.home, home]]),
    remove,
  };
}

/** Directories outside the home get a place inside the shadow. */
function shadowConfig(home: string, config: AppConfig): AppConfig {
  const moved = (name: string, directory: string) => (directory === '' ? '' : join(home, 'outside', name));
  const store = config['state-store'];
  const commit = config['state-commit'];
  return {
    ...config,
    'state-store': {
      ...store,
      'ss-db-directory': moved('base', store['ss-db-directory']),
      'evm-ss-db-directory': moved('evm', store['evm-ss-db-directory']),
    },
    'state-commit': { ...commit, 'sc-directory': moved('commit', commit['sc-directory']) },
  };
}

interface Place {
  readonly home: string;
  readonly config: AppConfig;
}

function pairsOf(original: Place, shadow: Place): (readonly [from: string, to: string])[] {
  const from = stateDirectories(original.home, original.config);
  const to = stateDirectories(shadow.home, shadow.config);
  return (Object.keys(from) as (keyof StateDirectories)[]).map((layer) => [from[layer], to[layer]]);
}

/** Longest first, so that a directory inside another is told by its own name. */
function named(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const longest = [...pairs].sort(([, a], [, b]) => b.length - a.length);
  return longest.reduce((message, [from, to]) => message.replaceAll(to, from), text);
}
