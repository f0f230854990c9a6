import { oneLine } from '@chain/platform';
import type { ChainNode } from '../../api/index.ts';
import { bytesOf } from '../../resources/index.ts';
import { type NodeVerdict, verdict } from './judgement.ts';
import { capacityOf, requestedOf, type VolumePass } from './volume.ts';

export function storageVerdict(
  { spec }: ChainNode,
  { claim, usedPercent, refused }: VolumePass,
): NodeVerdict {
  const { existingClaim } = spec.storage.source ?? {};
  if (!claim) {
    return verdict(
      'StorageReady',
      'False',
      'Missing',
      `claim "${existingClaim?.name ?? ''}" is not there; create it`,
    );
  }
  if (claim.status?.phase === 'Lost') return verdict('StorageReady', 'False', 'Lost');
  if (claim.status?.phase !== 'Bound') return verdict('StorageReady', 'False', 'Pending');
  if (refused !== undefined) return verdict('StorageReady', 'False', 'ResizeRefused', refused);
  const failed = claim.status.conditions?.find(({ type }) => /Error$/.test(type));
  if (failed)
    return verdict('StorageReady', 'False', 'ResizeRefused', oneLine(failed.message ?? failed.type));
  const { autoGrow } = spec.storage;
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
  return isGrowing
    ? verdict('StorageReady', 'False', 'Resizing', `from ${capacity} to ${requested}`)
    : verdict('StorageReady', 'True', 'Bound');
}

const canGrow = (requested: string | undefined, max: string): boolean =>
  (bytesOf(requested) ?? 0n) < (bytesOf(max) ?? 0n);
