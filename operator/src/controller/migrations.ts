import type { ChainNode } from '../api/index.ts';
import type { DesiredWorkload } from '../resources/index.ts';
import type { MigrationPass, NodeView } from '../task/index.ts';

/** What moves a node from one layout to another. */
export interface Migrations {
  /** How the node stands by what its status says; nothing is asked. */
  desiredOf(node: ChainNode): DesiredWorkload;
  /** Whether one is under way: what the node reports of its layout is the migration's to write down then. */
  isUnderWay(node: ChainNode): boolean;
  /** One step at most. The objects of the node have been applied by `view.desired` before. */
  pass(view: NodeView): Promise<MigrationPass>;
  /** Whether the node may go now; what the migration made goes first. */
  beforeDeletion(node: ChainNode): Promise<boolean>;
}
