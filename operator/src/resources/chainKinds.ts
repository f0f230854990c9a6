import {
  API_VERSION,
  BUDGET_KIND,
  type ChainDisruptionBudget,
  type ChainNode,
  type ChainNodeFleet,
  FLEET_KIND,
  NODE_KIND,
} from '../api/index.ts';
import { resourceKind } from '../kube/index.ts';

/** The operator's own kinds, as requests name them. */
export const CHAIN_NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
export const CHAIN_NODE_FLEET = resourceKind<ChainNodeFleet>(API_VERSION, FLEET_KIND);
export const CHAIN_DISRUPTION_BUDGET = resourceKind<ChainDisruptionBudget>(API_VERSION, BUDGET_KIND);
