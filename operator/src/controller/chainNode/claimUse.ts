import { ANNOTATIONS, type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type PersistentVolumeClaim, type Pod } from '../../kube/index.ts';
import { CHAIN_NODE, claimOf, isLabelledFor, nodeNames } from '../../resources/index.ts';
import type { Fault } from './faults.ts';

/**
 * One node has a claim at a time: two processes on one volume destroy it, and of a validator sign twice. Who has it is
 * noted on the claim, on the version that was read; so is the id that the node is known by, which outlives its Secret.
 */
export async function useClaim(
  client: KubeClient,
  node: ChainNode,
  { claim, nodeId }: { readonly claim: PersistentVolumeClaim | undefined; readonly nodeId: string },
): Promise<Fault | undefined> {
  if (!claim) return undefined;
  const { name: self, namespace } = node.metadata;
  const { name = '', annotations = {}, resourceVersion } = claim.metadata ?? {};
  const holder = holderOf(claim);
  if (holder !== undefined && holder !== self && (await hasIt(client, { namespace, holder, name })))
    return { reason: 'VolumeInUse', message: inUse(namespace, name, holder) };
  // Of a claim that the operator made for this node the label says so.
  const usedBy = holder === self ? annotations[ANNOTATIONS.usedBy] : self;
  const id = node.status?.nodeId ?? nodeId;
  if (annotations[ANNOTATIONS.usedBy] === usedBy && annotations[ANNOTATIONS.nodeId] === id) return undefined;
  const noted = { [ANNOTATIONS.nodeId]: id, ...(usedBy !== undefined && { [ANNOTATIONS.usedBy]: usedBy }) };
  await client.patchMetadata(
    KINDS.persistentVolumeClaim,
    { namespace, name },
    { annotations: noted, resourceVersion },
  );
  return undefined;
}

function inUse(namespace: string, claim: string, holder: string): string {
  return `ChainNode "${holder}" uses claim "${claim}", and two nodes on one volume destroy it; name another claim in spec.storage.source.existingClaim, or delete that node: kubectl -n ${namespace} delete cn ${holder}`;
}

/** The node that a claim was made for, or that has taken it. */
export function holderOf(claim: PersistentVolumeClaim): string | undefined {
  const noted = claim.metadata?.annotations?.[ANNOTATIONS.usedBy];
  if (noted !== undefined) return noted;
  const made = claim.metadata?.labels?.[LABELS.node];
  return made !== undefined && isLabelledFor(claim, LABELS.node, made) ? made : undefined;
}

/** Whether the node that has had a claim can still write to it. */
async function hasIt(
  client: KubeClient,
  { namespace, holder, name }: { namespace: string; holder: string; name: string },
): Promise<boolean> {
  const node = await client.get(CHAIN_NODE, { namespace, name: holder });
  if (node && (node.status?.storage?.pvc ?? claimOf(node)) === name) return true;
  return mounts(await client.get(KINDS.pod, { namespace, name: nodeNames(holder).pod }), name);
}

const mounts = (pod: Pod | undefined, claim: string): boolean =>
  pod?.spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim) ??
  false;
