import type { ChainNodeFleetSpec } from './chainNodeFleetSpec.ts';
import type { ChainNodeFleetStatus } from './chainNodeFleetStatus.ts';
import type { ChainNodeSpec } from './chainNodeSpec.ts';
import type { ChainNodeStatus } from './chainNodeStatus.ts';
import type { DisruptionBudgetSpec, DisruptionBudgetStatus } from './disruptionBudget.ts';
import type { BUDGET_KIND, FLEET_KIND, NODE_KIND } from './names.ts';

/** What Kubernetes keeps of every object. */
export interface ResourceMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  }[];
}

export interface ChainNode {
  readonly apiVersion: string;
  readonly kind: typeof NODE_KIND;
  readonly metadata: ResourceMetadata;
  readonly spec: ChainNodeSpec;
  readonly status?: ChainNodeStatus;
}

export interface ChainNodeFleet {
  readonly apiVersion: string;
  readonly kind: typeof FLEET_KIND;
  readonly metadata: ResourceMetadata;
  readonly spec: ChainNodeFleetSpec;
  readonly status?: ChainNodeFleetStatus;
}

export interface ChainDisruptionBudget {
  readonly apiVersion: string;
  readonly kind: typeof BUDGET_KIND;
  readonly metadata: ResourceMetadata;
  readonly spec: DisruptionBudgetSpec;
  readonly status?: DisruptionBudgetStatus;
}
