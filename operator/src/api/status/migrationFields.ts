import type { ValueOf } from '../field.ts';
import { choice, flag, group, list, text, timestamp, whole } from '../fieldKinds.ts';
import { MIGRATION_KINDS, MIGRATION_PHASES, MIGRATION_REASONS } from '../migrationTerms.ts';

const reason = choice(
  'Why it is where it is.',
  Object.keys(MIGRATION_REASONS) as (keyof typeof MIGRATION_REASONS)[],
);

const layout = (about: string) =>
  group(about, {
    backend: choice('Database of the state store.', ['pebbledb', 'rocksdb']),
    evmSplit: flag('EVM state has a database of its own.'),
    earliest: whole('Earliest height that can be asked.'),
    latest: whole('Newest height.'),
    nodeId: text('Id of the node among its peers.', { max: 64 }),
    image: text('Its image.', { max: 512 }),
  });

const TRUST = group('The trust point.', {
  height: whole('Its height.').required(),
  hash: text('Hash of the header, hexadecimal.', { max: 64 }).required(),
  resolvedAt: timestamp('When it was found.').required(),
  agreed: whole('Servers that told this hash.').required(),
  servers: list(
    'What each server told.',
    group('A server.', {
      url: text('Its URL.', { max: 300 }).required(),
      ok: flag('It counts.').required(),
      network: text('Chain id that it told.', { max: 64 }),
      height: whole('Its newest height.'),
      blockAgeSeconds: whole('Age of its newest block.'),
      problem: text('Why it does not count.'),
    }),
    { max: 8 },
  ),
});

const BACKUP = group('The backup of the keys.', {
  path: text('Where it lies, relative to the home.', { max: 512 }),
  manifestSha256: text('Digest of the list of its files.', { max: 64 }),
  files: list(
    'What is in it.',
    group('A file.', {
      path: text('Where it was, relative to the home.', { max: 512 }).required(),
      sha256: text('Its digest.', { max: 64 }).required(),
      size: whole('Bytes.'),
    }),
    { max: 32 },
  ),
  secretName: text('Secret that has the keys as well.', { max: 253 }),
  snapshotName: text('VolumeSnapshot of before the wipe.', { max: 253 }),
  snapshotReady: flag('It can be gone back to.'),
  verifiedAt: timestamp('When it was read back.'),
  deleteAt: timestamp('When it will be deleted.'),
});

const JOB = group('The job of the phase.', {
  name: text('Its name.', { max: 253 }).required(),
  part: choice('What it does.', ['preflight', 'backup', 'apply', 'verify', 'abort']),
  undone: flag('Of an abort: nothing of the migration is left on the volume.'),
  delayed: flag('Its pod does not begin; the message says why.'),
});

const PROGRESS = group('How far it is.', {
  percent: whole('Share of the whole that is done.', { max: 100 }),
  stage: choice('What the sync is at.', ['Discovering', 'Restoring', 'Replaying']),
  detail: text('What the node says of it, such as chunk 3 of 10.', { max: 256 }),
  height: whole('Height of the node.'),
  targetHeight: whole('Height that it goes to.'),
  movedAt: timestamp('When the height last moved.'),
});

const IDENTITY = {
  id: text('The same wish always has the same id.', { max: 63 }).required(),
  kind: choice('What it is for.', MIGRATION_KINDS).required(),
} as const;

export const MIGRATION_STATUS = group('The newest migration.', {
  ...IDENTITY,
  forGeneration: whole('Generation of the spec that asked for it.').required(),
  requestId: text('stateSync.requestId that asked for it.', { max: 63 }),
  attempt: whole('Which attempt; the first is 1. Each begins with a wipe.').required(),
  lastAttempt: whole('The attempt behind which it is held.'),
  try: whole('Which try of the step that the phase is at; the first is 1.'),
  phase: choice('Where it is.', MIGRATION_PHASES).required(),
  reason,
  message: text('The same for people, with what to do.', { max: 4096 }),
  startedAt: timestamp('When it began.').required(),
  phaseStartedAt: timestamp('When the phase began.').required(),
  deadline: timestamp('When the phase will have taken too long.'),
  nextAttemptAt: timestamp('When it is tried again.'),
  finishedAt: timestamp('When it ended.'),
  heldIn: choice('Phase in which it stopped.', MIGRATION_PHASES),
  pastPointOfNoReturn: flag('The old state may be gone: image and storage cannot be changed.').default(false),
  goingBack: flag('It is on its way back to the old layout.'),
  commands: list('Of a held migration: what can be typed now.', text('', { max: 512 }), { max: 8 }),
  obeyed: group('Values of the annotations that were obeyed.', {
    approve: text('chain.dev/approve.', { max: 253 }),
    retry: text('chain.dev/retry.', { max: 253 }),
    resync: text('chain.dev/resync.', { max: 253 }),
    rollback: text('chain.dev/rollback.', { max: 253 }),
    abort: text('chain.dev/abort.', { max: 253 }),
  }),
  earlierKeys: list(
    'Secrets with keys of earlier migrations that are still kept.',
    group('A Secret.', {
      secretName: text('Its name.', { max: 253 }).required(),
      endedAt: timestamp('When its migration ended.').required(),
    }),
    { max: 32 },
  ),
  claim: text('Claim that the node uses, where it is another than at first.', { max: 253 }),
  superseded: list(
    'Claims and VolumeSnapshots that the operator made, and that nothing names any more: they go when this one ends.',
    group('An object.', {
      kind: choice('Its kind.', ['PersistentVolumeClaim', 'VolumeSnapshot']).required(),
      name: text('Its name.', { max: 253 }).required(),
    }),
    { max: 32 },
  ),
  tidied: flag('Jobs and superseded objects of an ended migration are gone.'),
  before: layout('What there was.'),
  target: layout('What there shall be.'),
  trust: TRUST,
  backup: BACKUP,
  job: JOB,
  progress: PROGRESS,
  counters: group('What was counted within the migration.', {
    containerRestarts: whole('Restarts of the container when the sync began.'),
  }),
  evidence: list(
    'What the checks saw.',
    group('A check.', {
      name: text('What was looked at.', { max: 128 }).required(),
      ok: flag('Whether it is as it should be.').required(),
      detail: text('What was seen.').required(),
    }),
    { max: 32 },
  ),
  timeline: list(
    'Phases that it went through.',
    group('A phase.', {
      phase: choice('Which.', MIGRATION_PHASES).required(),
      attempt: whole('In which attempt.').required(),
      startedAt: timestamp('When it began.').required(),
      finishedAt: timestamp('When it ended.'),
      reason,
    }),
    { max: 128 },
  ),
});

export const MIGRATION_HISTORY = list(
  'The last five, newest first.',
  group('A migration.', {
    ...IDENTITY,
    result: choice('How it ended.', ['Succeeded', 'RolledBack', 'Superseded']).required(),
    reason,
    startedAt: timestamp('When it began.').required(),
    finishedAt: timestamp('When it ended.').required(),
    durationSeconds: whole('How long it took.').required(),
    attempts: whole('Attempts.').required(),
    snapshotHeight: whole('Height of the snapshot that it was restored from.'),
  }),
  { max: 5 },
);

export type MigrationStatus = ValueOf<typeof MIGRATION_STATUS>;
export type MigrationPhase = (typeof MIGRATION_PHASES)[number];
export type MigrationKind = (typeof MIGRATION_KINDS)[number];
export type MigrationReason = keyof typeof MIGRATION_REASONS;
