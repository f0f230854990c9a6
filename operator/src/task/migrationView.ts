import type { ChainNode } from '../api/index.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../kube/index.ts';
import type { Observation } from '../observe/index.ts';
import type { DesiredWorkload } from '../resources/index.ts';

/** A node as a pass over it has found it. */
export interface MigrationView {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly statefulSet: StatefulSet | undefined;
  readonly pod: Pod | undefined;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly observation: Observation | undefined;
  readonly selectedPeers: readonly string[];
}
