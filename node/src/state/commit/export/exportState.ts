import { type FrozenState, openFrozenTree } from './frozenState.ts';
import { type NodeSink, TreeWalk } from './treeWalk.ts';

/** Takes the nodes of all stores: stores ascending by name, the nodes of each in post-order (spec S-9). */
export interface StateSink extends NodeSink {
  store(name: string): void;
}

/**
 * Hands over every node of a frozen state, on any thread, and yields when the sink is full. Throws
 * STATE_COMMIT_SNAPSHOT_DAMAGED.
 */
export function* exportState(frozen: FrozenState, sink: StateSink): Iterable<void> {
  for (const tree of frozen.trees) {
    sink.store(tree.store);
    const { space, root, isEmpty } = openFrozenTree(tree);
    if (!isEmpty) yield* new TreeWalk(space, sink).subtree(root);
  }
}
