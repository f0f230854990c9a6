import type { ChainNode, ChainNodeStatus, NODE_CONDITIONS, Verdict } from '../api/index.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../kube/index.ts';
import type { Observation } from '../observe/index.ts';
import type { DesiredWorkload } from '../resources/index.ts';

/** A node as one pass sees it: everything read before anything is decided. */
export interface NodeView {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly statefulSet: StatefulSet | undefined;
  readonly pod: Pod | undefined;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly observation: Observation | undefined;
  /** `id@host:port` of the peers that `peers.selector` finds. */
  readonly selectedPeers: readonly string[];
}

/** What one pass over a migration leads to. */
export interface MigrationPass {
  /** Members of the status that it changes; written with the rest of the status, before the next pass. */
  readonly status?: Partial<Pick<ChainNodeStatus, 'migration' | 'migrationHistory' | 'stateStore'>>;
  /** Of `StateStoreConverged`, `MigrationInProgress`, `BackupVerified` and `TrustReady`. */
  readonly verdicts: readonly Verdict<typeof NODE_CONDITIONS>[];
  /** When to look again. */
  readonly requeueAfterMs?: number;
}

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
