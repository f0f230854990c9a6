import { API_VERSION, type ChainNode, type ChainNodeFleet, FLEET_KIND, NODE_KIND } from '../api/index.ts';
import { resourceKind } from '../kube/index.ts';

/** The operator's own kinds, as requests name them. */
export const CHAIN_NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
export const CHAIN_NODE_FLEET = resourceKind<ChainNodeFleet>(API_VERSION, FLEET_KIND);
