import type { ChainNode, ChainNodeFleet } from '../../api/index.ts';
import type { Manifest } from '../../resources/index.ts';
import type { Member } from './member.ts';

/** What a fleet is, read from the API server itself: budgets are never reckoned from a cache. */
export interface ObservedFleet {
  readonly fleet: ChainNodeFleet;
  readonly nodes: readonly ChainNode[];
  /** Other nodes of the same chain, as they were last seen. */
  readonly network?: readonly ChainNode[];
  /** Names of the nodes whose pod is ready and gets clients now; asked before anything is taken away. */
  readonly servingNow?: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** What is to be done; each is done whole or not at all, and may be done twice. */
export type FleetAction =
  | { readonly kind: 'apply'; readonly manifest: Manifest; readonly reason: string; readonly note: string }
  | {
      readonly kind: 'patch';
      readonly name: string;
      /** Merge patch; a node that hibernates serves nobody. */
      readonly patch: { readonly metadata: object; readonly spec: { readonly hibernate: boolean } };
      readonly reason: string;
      readonly note: string;
    }
  | {
      /** The node may be taken away from `at` on; `undefined`: no longer. */
      readonly kind: 'turn';
      readonly name: string;
      readonly at: string | undefined;
      /** Of the node as it was seen; it may have begun since. */
      readonly resourceVersion: string;
      readonly reason: string;
      readonly note: string;
    }
  | {
      readonly kind: 'delete';
      readonly name: string;
      readonly uid: string;
      /** What becomes of its volume and keys. */
      readonly deletionPolicy: 'Retain' | 'Delete';
      readonly reason: string;
      readonly note: string;
    };

export type Rollout = NonNullable<NonNullable<ChainNodeFleet['status']>['rollout']>;

/** Why the next node has to wait. */
export interface Blocker {
  readonly reason:
    | 'Budget'
    | 'ChainHalted'
    | 'NodeHeld'
    | 'OutsideWindow'
    | 'Delay'
    | 'CanarySoaking'
    | 'CanaryWaiting'
    | 'CanaryFailed'
    | 'TwinDiffers'
    | 'Partition'
    | 'Paused';
  readonly message: string;
  /** When it may be over. */
  readonly againAfterMs?: number | undefined;
}

/** Whose answers are to be compared: nodes with the new spec against one with the old. */
export interface WantedComparison {
  readonly of: 'canary' | 'twin';
  readonly candidates: readonly string[];
  readonly against: string;
}

export interface FleetPlan {
  /** The nodes as they were found. */
  readonly members: readonly Member[];
  readonly actions: readonly FleetAction[];
  readonly rollout: Rollout;
  readonly blocker: Blocker | undefined;
  readonly comparisons: readonly WantedComparison[];
  /** Looked at again after this time if nothing happens before. */
  readonly againAfterMs: number | undefined;
}
