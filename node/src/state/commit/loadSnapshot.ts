import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { equalBytes } from '../../primitives/index.ts';
import { damagedFile } from './memiavl/flatFiles.ts';
import type { NodeHasher } from './memiavl/nodeHasher.ts';
import type { PageCache } from './memiavl/pageCache.ts';
import { PersistedTree } from './memiavl/persistedTree.ts';
import { Tree } from './memiavl/tree.ts';
import { MultiTree } from './multiTree.ts';
import { decodeMultiTreeMetadata, type MultiTreeMetadata } from './snapshot/multiTreeMetadata.ts';
import type { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { freezeForSnapshot, writeSnapshot } from './snapshot/snapshotJob.ts';

export interface LoadedSnapshot {
  readonly state: MultiTree;
  readonly initialVersion: number;
}

/** Writes and publishes the snapshot of version 0: all stores empty. */
export async function createGenesisSnapshot(
  directory: SnapshotDirectory,
  options: { readonly stores: readonly string[]; readonly initialVersion: number },
  hasher: NodeHasher,
): Promise<void> {
  const { initialVersion, stores } = options;
  const trees = new Map(stores.map((store) => [store, new Tree(undefined, initialVersion)]));
  const state = new MultiTree(trees, { version: 0, initialVersion }, hasher);
  const target = {
    draft: directory.draftPath(0),
    // The metadata keeps 0 for a chain that begins at 1.
    initialVersion: initialVersion > 1 ? initialVersion : 0,
    bytesPerSecond: 0,
  };
  mkdirSync(directory.path, { recursive: true });
  writeSnapshot(freezeForSnapshot(state, target).job);
  await directory.publish(0);
}

/**
 * Opens a published snapshot. Throws STATE_COMMIT_SNAPSHOT_DAMAGED naming the file, also when a tree's root is
 * not the one that the metadata names.
 */
export function loadSnapshot(path: string, cache: PageCache, hasher: NodeHasher): LoadedSnapshot {
  const metadata = readMetadata(join(path, '__metadata'));
  const initialVersion = Math.max(1, metadata.initialVersion);
  const trees = new Map<string, Tree>();
  const state = new MultiTree(trees, { version: metadata.version, initialVersion }, hasher);
  try {
    for (const { name, hash } of metadata.stores) {
      const base = new PersistedTree(join(path, name), cache);
      const tree = new Tree(base, initialVersion);
      trees.set(name, tree);
      if (!equalBytes(tree.hash(hasher), hash) || tree.version !== metadata.version) {
        throw damagedFile(join(path, name, 'nodes'), 'does not have the root that the snapshot names');
      }
    }
  } catch (error) {
    state.close();
    throw error;
  }
  return { state, initialVersion: metadata.initialVersion };
}

function readMetadata(path: string): MultiTreeMetadata {
  try {
    return decodeMultiTreeMetadata(readFileSync(path), path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? damagedFile(path, 'is missing') : error;
  }
}

/** The set of stores decides the application hash; a change of it needs an upgrade at a known height. */
export function checkStores(state: MultiTree, expected: readonly string[]): void {
  const held = [...state.trees.keys()].sort().join(', ');
  const wanted = [...expected].sort().join(', ');
  if (held === wanted) return;
  throw new CodedError(
    'STATE_COMMIT_STORES_CHANGED',
    `the snapshot holds the stores ${held} but this program has ${wanted}; run the release that wrote the data`,
    { fields: { held, wanted } },
  );
}
