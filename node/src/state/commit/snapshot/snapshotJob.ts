import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectorySync } from '../../changelog/index.ts';
import { ByteSlab } from '../memiavl/byteSlab.ts';
import { NodeArena } from '../memiavl/nodeArena.ts';
import { NodeSpace } from '../memiavl/nodeSpace.ts';
import { PageCache } from '../memiavl/pageCache.ts';
import { PersistedTree } from '../memiavl/persistedTree.ts';
import type { MultiTree } from '../multiTree.ts';
import { encodeMultiTreeMetadata } from './multiTreeMetadata.ts';
import { writeTree } from './treeWriter.ts';
import { createWritePace } from './writePace.ts';

/** Only sequential copies and the branches above them are read while a snapshot is written. */
const WRITER_CACHE_BYTES = 16 << 20;

/** A frozen state as another thread can read it: shared memory, and where the files of the snapshots below are. */
export interface SnapshotJob {
  readonly draft: string;
  readonly metadata: Uint8Array;
  readonly bytesPerSecond: number;
  readonly trees: readonly {
    readonly store: string;
    readonly root: number;
    readonly version: number;
    readonly nodes: SharedArrayBuffer[];
    readonly segments: Uint8Array[];
    readonly baseDirectory: string | undefined;
  }[];
}

export interface SnapshotTarget {
  readonly draft: string;
  readonly initialVersion: number;
  /** 0 is no limit. */
  readonly bytesPerSecond: number;
}

/** Freezes the state; `release` must be called when the job is over. */
export function freezeForSnapshot(
  state: MultiTree,
  target: SnapshotTarget,
): { readonly job: SnapshotJob; release(): void } {
  const stores = [...state.storeHashes()]
    .map(([name, hash]) => ({ name, version: state.version, hash }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const { version } = state;
  const frozen = new Map(stores.map(({ name }) => [name, state.tree(name).freeze()]));
  const job = {
    draft: target.draft,
    bytesPerSecond: target.bytesPerSecond,
    metadata: encodeMultiTreeMetadata({ version, initialVersion: target.initialVersion, stores }),
    trees: stores.map(({ name }) => {
      const tree = state.tree(name);
      const { arena, slab, base } = tree.space;
      return {
        store: name,
        root: frozen.get(name)!.root,
        version: tree.version,
        nodes: arena.segments,
        segments: slab.segments,
        // The snapshot that this tree stands on, which need not be the newest one on disk.
        baseDirectory: base?.directory,
      };
    }),
  };
  const release = (): void => {
    for (const tree of frozen.values()) tree.release();
  };
  return { job, release };
}

/** Writes the whole draft, synced. */
export function writeSnapshot(job: SnapshotJob): void {
  const pace = createWritePace(job.bytesPerSecond);
  mkdirSync(job.draft);
  for (const { store, root, version, nodes, segments, baseDirectory } of job.trees) {
    const cache = new PageCache(WRITER_CACHE_BYTES);
    const base = baseDirectory === undefined ? undefined : new PersistedTree(baseDirectory, cache);
    const space = new NodeSpace(base, new NodeArena(nodes), new ByteSlab(segments));
    writeTree({ space, root, version }, join(job.draft, store), pace);
    space.release();
  }
  writeFileSync(join(job.draft, '__metadata'), job.metadata, { flush: true });
  syncDirectorySync(job.draft);
}
