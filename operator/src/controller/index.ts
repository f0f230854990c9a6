/**
 * Reconciling: from what a custom resource asks for, and what is there, to the next thing that is done.
 * Owns: the passes, conditions and phases, what is applied and deleted when. Does not own: how objects look, how the
 * API server is talked to, the steps of a migration.
 * Invariants: a pass waits for no node; one status write a pass, on the version that was read; nothing that a person
 * brought along is deleted.
 */
export type { CachedObjects } from './chainNode/applyObject.ts';
export type { SeenNodes } from './chainNode/restingNodes.ts';
export {
  ChainNodeController,
  type ChainNodeDeps,
  type ChainNodeOptions,
  type NodeEvent,
} from './chainNodeController.ts';
export { FleetController, type FleetDeps } from './fleetController.ts';
export { HeightPace } from './heightPace.ts';
export type { Migrations } from './migrations.ts';
export { PeerGraph } from './peerGraph.ts';
