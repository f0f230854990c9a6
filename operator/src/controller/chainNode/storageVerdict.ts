import { oneLine } from '@chain/platform';
import type { ChainNode } from '../../api/index.ts';
import type { PersistentVolumeClaim } from '../../kube/index.ts';
import { bytesOf } from '../../resources/index.ts';
import { type NodeVerdict, verdict } from './judgement.ts';
import { capacityOf, requestedOf, type VolumePass } from './volume.ts';

export function storageVerdict(
  { spec: { storage } }: ChainNode,
  { claim, replacement, usedPercent, refused }: VolumePass,
): NodeVerdict {
  const { existingClaim } = storage.source ?? {};
  if (!claim) {
    return verdict(
      'StorageReady',
      'False',
      'Missing',
      `claim "${replacement ?? existingClaim?.name ?? ''}" is not there; create it`,
    );
  }
  if (claim.status?.phase === 'Lost') return verdict('StorageReady', 'False', 'Lost');
  if (claim.status?.phase !== 'Bound') return verdict('StorageReady', 'False', 'Pending');
  if (refused !== undefined) return verdict('StorageReady', 'False', 'ResizeRefused', refused);
  const failed = claim.status.conditions?.find(({ type }) => /Error$/.test(type));
  if (failed)
    return verdict('StorageReady', 'False', 'ResizeRefused', oneLine(failed.message ?? failed.type));
  const { autoGrow } = storage;
  const requested = requestedOf(claim);
  if (
    autoGrow &&
    usedPercent !== undefined &&
    usedPercent >= autoGrow.threshold &&
    !canGrow(requested, autoGrow.max)
  ) {
    return verdict(
      'StorageReady',
      'False',
      'NearlyFull',
      `${usedPercent} % used; raise storage.autoGrow.max`,
    );
  }
  const capacity = capacityOf(claim);
  const isGrowing = (bytesOf(capacity) ?? 0n) < (bytesOf(requested) ?? 0n);
  if (isGrowing) return verdict('StorageReady', 'False', 'Resizing', `from ${capacity} to ${requested}`);
  const fixed = fixedOf(storage, claim);
  return fixed === undefined
    ? verdict('StorageReady', 'True', 'Bound')
    : verdict('StorageReady', 'True', 'NotAsSpecified', fixed);
}

const ANOTHER = 'another node beside it can have that: copy the volume (storage.source), or state sync';

/** What the spec asks for, and no claim that is there ever gets. */
function fixedOf(
  { storageClassName, accessMode, size, source, autoGrow }: ChainNode['spec']['storage'],
  claim: PersistentVolumeClaim,
): string | undefined {
  // Of a claim that somebody else made the spec says nothing.
  if (source?.existingClaim) return undefined;
  const { spec } = claim;
  const has = spec?.storageClassName;
  if (storageClassName !== undefined && has !== undefined && has !== storageClassName)
    return `the volume is of class ${has} and stays there, not ${storageClassName}; ${ANOTHER}`;
  const modes = spec?.accessModes ?? [accessMode];
  if (!modes.includes(accessMode))
    return `the claim is ${modes.join(', ')} and stays so, not ${accessMode}; ${ANOTHER}`;
  const requested = requestedOf(claim);
  return !autoGrow && (bytesOf(requested) ?? 0n) > (bytesOf(size) ?? 0n)
    ? `the volume has ${requested} and never shrinks to ${size}; ${ANOTHER}`
    : undefined;
}

const canGrow = (requested: string | undefined, max: string): boolean =>
  (bytesOf(requested) ?? 0n) < (bytesOf(max) ?? 0n);
