import { act, enter, isPast, type Step, wait } from '../decision.ts';
import { keySecretName } from '../identity.ts';
import { abort } from './back.ts';
import { jobStep } from './jobStep.ts';
import { enterSnapshotting } from './leave.ts';

const LOOK_MS = 5_000;
const TRIES = 3;
const SHA256 = /^[0-9a-f]{64}$/;

/** Nothing is deleted without the digest of a manifest that a Job has read again. */
export const backingUp: Step = (world, record) =>
  jobStep(world, record, {
    part: 'backup',
    tries: TRIES,
    volume: 'alone',
    done: ({ backup: made, sealedKeys }) => {
      let backup = made;
      if (!backup || !SHA256.test(backup.manifestSha256)) {
        return abort(world, record, {
          reason: 'BackupFailed',
          message: 'the backup Job gave no digest of what it wrote; look at its log',
        });
      }
      if (world.settings.keySecret && sealedKeys !== undefined) {
        const secretName = keySecretName(world.node.name, record.id);
        if (!world.keySecretExists)
          return act({ do: 'createKeySecret', name: secretName, sealed: sealedKeys });
        backup = { ...backup, secretName };
      }
      return world.settings.snapshot === undefined
        ? enter(world, record, 'Applying', { backup })
        : enterSnapshotting(world, record, backup);
    },
    failed: (message) => abort(world, record, { reason: 'BackupFailed', message }),
  });

export const snapshotting: Step = (world, record) => {
  const { snapshot: wish } = world.settings;
  const backup = record.backup!;
  const name = backup.snapshotName!;
  if (world.snapshot?.ready)
    return enter(world, record, 'Applying', { backup: { ...backup, snapshotReady: true } });
  const problem =
    world.snapshot?.error ??
    (isPast(world.now, record.deadline) ? `VolumeSnapshot ${name} did not become ready in time` : undefined);
  if (problem === undefined) {
    return world.snapshot === undefined ? act({ do: 'createSnapshot', name }) : wait(LOOK_MS);
  }
  // One that is no longer asked for is not required.
  if (wish?.required) return abort(world, record, { reason: 'SnapshotFailed', message: problem });
  return enter(world, record, 'Applying', { message: `without a snapshot: ${problem}` });
};
