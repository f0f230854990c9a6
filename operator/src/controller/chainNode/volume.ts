import { isCodedError } from '@chain/platform';
import { ANNOTATIONS, type ChainNode, FIELD_MANAGERS, timestampOf } from '../../api/index.ts';
import { KINDS, type KubeClient, type PersistentVolumeClaim } from '../../kube/index.ts';
import type { Observation } from '../../observe/index.ts';
import {
  bytesOf,
  claimOf,
  claimSize,
  type DesiredWorkload,
  grown,
  volumeClaim,
} from '../../resources/index.ts';

export interface VolumePass {
  readonly claim: PersistentVolumeClaim | undefined;
  /** Name of the claim that takes the place of the node's own, as that one says. */
  readonly replacement?: string;
  /** When it last grew by itself; RFC 3339. */
  readonly grownAt?: string;
  readonly usedPercent?: number;
  /** Why the storage does not let it grow. */
  readonly refused?: string;
}

interface VolumeView {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly observation: Observation | undefined;
}

/** A file system grows a while after its claim has. */
const SETTLE_MS = 300_000;

/** Makes the claim where there is none, and lets it grow: by the spec, or by itself. Never shrinks, never deletes. */
export async function ensureVolume(
  client: KubeClient,
  { node, desired, observation }: VolumeView,
): Promise<VolumePass> {
  const { namespace } = node.metadata;
  const used = usedPercent(observation);
  const first = await client.get(KINDS.persistentVolumeClaim, { namespace, name: claimOf(node, desired) });
  const replacement = desired.claim ?? first?.metadata?.annotations?.[ANNOTATIONS.replacedBy];
  const facts = {
    ...(used !== undefined && { usedPercent: used }),
    ...(replacement !== undefined && { replacement }),
  };
  const name = replacement ?? claimOf(node, desired);
  const isFirst = first?.metadata?.name === name || first === undefined;
  const claim = isFirst ? first : await client.get(KINDS.persistentVolumeClaim, { namespace, name });
  if (!claim) {
    const made = volumeClaim(node);
    if (!made || made.metadata.name !== name) return { claim: undefined, ...facts };
    const created = await client.create(KINDS.persistentVolumeClaim, made as never);
    return { claim: created, ...facts };
  }
  const requested = requestedOf(claim);
  const wanted = wantedSize(node, { claim, used, nowMs: client.clock.now() });
  if ((bytesOf(wanted) ?? 0n) <= (bytesOf(requested) ?? 0n)) return { claim, ...facts };
  return { ...(await grow(client, { node, claim, wanted })), ...facts };
}

interface Growth {
  readonly node: ChainNode;
  readonly claim: PersistentVolumeClaim;
  readonly wanted: string;
}

async function grow(client: KubeClient, { node, claim, wanted }: Growth): Promise<VolumePass> {
  try {
    const larger = await client.apply(
      KINDS.persistentVolumeClaim,
      claimSize(node, claim.metadata ?? {}, wanted) as never,
      { fieldManager: FIELD_MANAGERS.scale },
    );
    const bySpec = wanted === node.spec.storage.size;
    return { claim: larger, ...(!bySpec && { grownAt: timestampOf(client.clock.now()) }) };
  } catch (error) {
    if (!isCodedError(error, 'KUBE_REFUSED') && !isCodedError(error, 'KUBE_FORBIDDEN')) throw error;
    return { claim, refused: error.message };
  }
}

export const requestedOf = (claim: PersistentVolumeClaim | undefined): string | undefined =>
  (claim?.spec?.resources?.requests as Readonly<Record<string, string>> | undefined)?.storage;

export const capacityOf = (claim: PersistentVolumeClaim | undefined): string | undefined =>
  (claim?.status?.capacity as Readonly<Record<string, string>> | undefined)?.storage;

function wantedSize(
  { spec, status }: ChainNode,
  seen: { claim: PersistentVolumeClaim; used: number | undefined; nowMs: number },
): string {
  const { size, autoGrow } = spec.storage;
  const requested = requestedOf(seen.claim) ?? size;
  const isGrowing =
    capacityOf(seen.claim) !== requested &&
    (bytesOf(capacityOf(seen.claim)) ?? 0n) < (bytesOf(requested) ?? 0n);
  const grownAt = Date.parse(status?.storage?.grownAt ?? '');
  const isSettled = !(seen.nowMs - grownAt < SETTLE_MS);
  if (!autoGrow || seen.used === undefined || seen.used < autoGrow.threshold || isGrowing || !isSettled)
    return size;
  return grown(requested, autoGrow);
}

/** How full the volume is, as its node says. */
export function usedPercent(observation: Observation | undefined): number | undefined {
  const volume = observation?.report?.volume;
  if (!volume || volume.size === 0) return undefined;
  return Math.round((100 * (volume.size - volume.free)) / volume.size);
}
