import { act, enter, isPast, type Step, wait } from '../decision.ts';
import { keySecretName } from '../identity.ts';
import { abort } from './back.ts';
import { jobStep } from './jobStep.ts';
import { enterSnapshotting } from './leave.ts';

const LOOK_MS = 5_000;
const TRIES = 3;
const SHA256 = /^[0-9a-f]{64}$/;

/** Nothing is deleted without the digest of a manifest that a Job has read again. */
export const backingUp: Step = (observed, record) =>
  jobStep(observed, record, {
    part: 'backup',
    tries: TRIES,
    volume: 'alone',
    done: ({ backup: made, sealedKeys }) => {
      let backup = made;
      if (!backup || !SHA256.test(backup.manifestSha256)) {
        return abort(observed, record, {
          reason: 'BackupFailed',
          message: 'the backup Job gave no digest of what it wrote; look at its log',
        });
      }
      if (observed.settings.keySecret && sealedKeys !== undefined) {
        const secretName = keySecretName(observed.node.name, record.id);
        if (!observed.keySecretExists)
          return act({ do: 'createKeySecret', name: secretName, sealed: sealedKeys });
        backup = { ...backup, secretName };
      }
      return observed.settings.snapshot === undefined
        ? enter(observed, record, 'Applying', { backup })
        : enterSnapshotting(observed, record, backup);
    },
    failed: (message) => abort(observed, record, { reason: 'BackupFailed', message }),
  });

export const snapshotting: Step = (observed, record) => {
  const { snapshot: wish } = observed.settings;
  const backup = record.backup!;
  const name = backup.snapshotName!;
  if (observed.snapshot?.ready)
    return enter(observed, record, 'Applying', { backup: { ...backup, snapshotReady: true } });
  const problem =
    observed.snapshot?.error ??
    (isPast(observed.now, record.deadline)
      ? `VolumeSnapshot ${name} did not become ready in time`
      : undefined);
  if (problem === undefined) {
    return observed.snapshot === undefined ? act({ do: 'createSnapshot', name }) : wait(LOOK_MS);
  }
  // One that is no longer asked for is not required.
  if (wish?.required) return abort(observed, record, { reason: 'SnapshotFailed', message: problem });
  return enter(observed, record, 'Applying', { message: `without a snapshot: ${problem}` });
};
