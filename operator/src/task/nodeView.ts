import type { ChainNode } from '../api/index.ts';
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
