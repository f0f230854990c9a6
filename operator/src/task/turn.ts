import { type ChainNode, FLEET_KIND, LABELS } from '../api/index.ts';
import { KINDS, type KubeClient } from '../kube/index.ts';
import { hasTurn, isHaltedBy, isResumedBy, mayGoNow, memberOf, partOf } from '../plan/index.ts';
import { CHAIN_NODE_FLEET } from '../resources/index.ts';
import { isReadyPod } from './readyPod.ts';
import { budgetsOf, obstacleOfBudgets } from './sharedBudgets.ts';

interface FleetRef {
  readonly namespace: string;
  readonly name: string;
}

/** Names of a fleet's nodes whose pods are ready and get clients, asked of the API server itself. */
export async function servingNow(client: KubeClient, fleet: FleetRef): Promise<ReadonlySet<string>> {
  const pods = await client.list(KINDS.pod, {
    namespace: fleet.namespace,
    labelSelector: `${LABELS.fleet}=${fleet.name},${LABELS.serving}=true`,
  });
  return new Set(pods.filter(isReadyPod).flatMap(({ metadata }) => metadata?.labels?.[LABELS.node] ?? []));
}

/** The fleet without which the node is not taken away; `undefined` where nobody has to be asked. */
function fleetToAsk(node: ChainNode): FleetRef | undefined {
  const { namespace, ownerReferences = [] } = node.metadata;
  const owner = ownerReferences.find(({ kind }) => kind === FLEET_KIND);
  const part = partOf(node);
  // Clients are sent to neither of the others.
  const isCounted = part === 'Member' || part === 'Leaving';
  return owner && isCounted ? { namespace, name: owner.name } : undefined;
}

/** Whether a fleet, or a budget over several, has to let the node go. */
export async function mustAsk(client: KubeClient, node: ChainNode): Promise<boolean> {
  if (fleetToAsk(node)) return true;
  // Clients are not sent to the second node of a surge.
  return partOf(node) === 'Member' && (await budgetsOf(client, node)).length > 0;
}

/**
 * Why a node may not be taken away at this moment; asked right before it goes, of the pods themselves. Where nothing
 * stands in its way, budgets over several fleets note that it goes: ask for one that goes at once, and no other.
 */
export async function obstacleNow(client: KubeClient, node: ChainNode): Promise<string | undefined> {
  const obstacle = await obstacleOfFleet(client, node);
  if (obstacle !== undefined) return obstacle;
  const part = partOf(node);
  return part === 'Member' || part === 'Leaving' ? obstacleOfBudgets(client, node) : undefined;
}

async function obstacleOfFleet(client: KubeClient, node: ChainNode): Promise<string | undefined> {
  const ref = fleetToAsk(node);
  if (!ref) return undefined;
  const see = `kubectl -n ${ref.namespace} describe cnf ${ref.name}`;
  if (!hasTurn(node)) return `waits until its fleet ${ref.name} lets it go; see ${see}`;
  const fleet = await client.get(CHAIN_NODE_FLEET, ref);
  if (!fleet) return undefined;
  const serving = await servingNow(client, ref);
  const moment = {
    servingNow: serving,
    spec: fleet.spec,
    nowMs: client.clock.now(),
    isHalted: isHaltedBy(fleet),
    isResumed: isResumedBy(fleet),
  };
  if (mayGoNow(memberOf(node), moment)) return undefined;
  return `${serving.size} nodes of fleet ${ref.name} serve now, too few for one to go; see ${see}`;
}
