/**
 * What a ChainNode is made of: pure functions from the spec to the objects that are applied.
 * Owns: names, labels, files and the shape of every object of a node; keys and names that a spec may not use.
 * Does not own: applying them, looking at what is there.
 * Invariants: equal input gives equal objects; only fields that the operator owns are in them; what the operator's own
 * installation changes is not in the hash that restarts a node.
 */

export { CHAIN_DISRUPTION_BUDGET, CHAIN_NODE, CHAIN_NODE_FLEET } from './chainKinds.ts';
export { lockedDown, secondsOf } from './containerParts.ts';
export { claimOf, dataMounts, dataVolumes, homeEnv } from './dataVolume.ts';
export { fleetBudget, fleetService } from './fleetObjects.ts';
export { labelsOf, MANAGED_BY, ownerOf } from './labels.ts';
export type { Manifest } from './manifest.ts';
export { nodeIdOf, signerOf } from './nodeKey.ts';
export { nodeKeyRef } from './nodeKeyRef.ts';
export { nodeNames, POD_NAMES } from './nodeNames.ts';
export { isLabelledFor, isOwnedBy, requireOurs } from './ownership.ts';
export { matchesSelector, peerAddress } from './peers.ts';
export { CONFIG_HASH } from './podTemplate.ts';
export { bytesOf, grown } from './quantity.ts';
export { type DesiredWorkload, isServedRole, type RenderInput } from './renderInput.ts';
export { type Absence, type RenderedNode, renderNode } from './renderNode.ts';
export { resourceErrors } from './resourceErrors.ts';
export { nodeKeySecret, restoredNodeKey } from './smallObjects.ts';
export { digestOf, replicasOf, scaleOf, TEMPLATE_HASH, WISH_HASH, wishHashOf } from './statefulSet.ts';
export { claimSize, volumeClaim } from './volumeClaim.ts';
