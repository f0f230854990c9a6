import { ByteSlab } from '../memiavl/byteSlab.ts';
import { NodeArena } from '../memiavl/nodeArena.ts';
import { NONE, NodeSpace } from '../memiavl/nodeSpace.ts';
import { PageCache } from '../memiavl/pageCache.ts';
import { type OpenedTree, PersistedTree } from '../memiavl/persistedTree.ts';
import type { MultiTree } from '../multiTree.ts';

/** Keys of rewritten leaves are looked up in the snapshot below; all else is read in sequence. */
const EXPORT_CACHE_BYTES = 16 << 20;

/** The state of one version as another thread can read it, whatever is written meanwhile. */
export interface FrozenState {
  readonly version: number;
  readonly appHash: Uint8Array;
  /** Of all stores. */
  readonly leafCount: number;
  /** Ascending by name. */
  readonly trees: readonly FrozenTree[];
}

interface FrozenTree {
  readonly store: string;
  readonly root: number;
  readonly nodes: SharedArrayBuffer[];
  readonly segments: Uint8Array[];
  /** The snapshot that the tree stands on: open, though it may be pruned by now. */
  readonly base: (OpenedTree & { readonly directory: string }) | undefined;
}

/** Freezes a hashed state; `release` must be called once nobody reads it any more. */
export function freezeState(state: MultiTree): { readonly frozen: FrozenState; release(): void } {
  const stores = [...state.trees].sort(([a], [b]) => (a < b ? -1 : 1));
  const { version } = state;
  const appHash = state.appHash();
  const leafCount = stores.reduce((sum, [, tree]) => sum + tree.size, 0);
  const held = new Map(stores.map(([store, tree]) => [store, tree.freeze()]));
  const trees = stores.map(([store, tree]): FrozenTree => {
    const { root } = held.get(store)!;
    const { arena, slab, base } = tree.space;
    return {
      store,
      root,
      nodes: arena.segments,
      segments: [...slab.segments],
      base: base && { directory: base.directory, version: base.version, files: base.files },
    };
  });
  const release = (): void => {
    for (const tree of held.values()) tree.release();
    held.clear();
  };
  return { frozen: { version, appHash, leafCount, trees }, release };
}

/** The tree's nodes as this thread reads them; never to be released here: the files belong to the other thread. */
export function openFrozenTree({ root, nodes, segments, base }: FrozenTree): {
  readonly space: NodeSpace;
  readonly root: number;
  readonly isEmpty: boolean;
} {
  const below = base && new PersistedTree(base.directory, new PageCache(EXPORT_CACHE_BYTES), base);
  const space = new NodeSpace(below, new NodeArena(nodes), new ByteSlab(segments));
  return { space, root, isEmpty: root === NONE };
}
