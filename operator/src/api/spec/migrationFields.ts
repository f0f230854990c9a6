import { KEPT_BACKUPS } from '@chain/platform/contract';
import { choice, flag, group, list, objectName, someSpan, span, text, whole } from '../fieldKinds.ts';

const timeout = (about: string, value: string) => someSpan(about).default(value);

const TIMEOUTS = group('How long each phase may take.', {
  drain: timeout('Until clients have gone.', '2m'),
  stop: timeout('Until the pod is gone and the volume is free.', '10m'),
  backup: timeout('Until the keys are backed up and read back.', '10m'),
  snapshot: timeout('Until the VolumeSnapshot is ready.', '2h'),
  wipe: timeout('Until the old state is deleted.', '1h'),
  configure: timeout('Until the home is made anew.', '5m'),
  start: timeout('Until the container runs.', '15m'),
  discover: timeout('Until a snapshot is found.', '20m'),
  sync: timeout('Until the node is at the head of the chain.', '12h'),
  verify: timeout('Until the node has passed the checks.', '15m'),
}).default({});

export const WINDOWS = list(
  'When changes may begin; always, when there is none.',
  group('A window.', {
    cron: text('When it opens: minute hour day month weekday.', {
      max: 100,
      pattern: '^[-0-9*/,A-Za-z]+( [-0-9*/,A-Za-z]+){4}$',
    }).required(),
    duration: someSpan('How long it is open.').required(),
    timeZone: text('IANA name of the time zone of `cron`.', { max: 64, min: 1 }).default('UTC'),
  }),
  { max: 16 },
).default([]);

export const MIGRATION = group('How the node gets into another layout of its state store.', {
  policy: choice(
    'Automatic: as soon as the spec asks for it. Manual: once the annotation chain.dev/approve names it.',
    ['Automatic', 'Manual', 'Disabled'],
  ).default('Automatic'),
  retry: group('How often, and how fast after one another.', {
    maxAttempts: whole('Attempts after which it is held.', { min: 1, max: 100 }).default(5),
    backoffMin: someSpan('Wait after the first failure.').default('1m'),
    backoffMax: someSpan('Longest wait.').default('30m'),
  }).default({}),
  timeouts: TIMEOUTS,
  backup: group('Backups besides the one on the volume.', {
    secret: flag(
      'Keys and sign state are also kept in an immutable Secret NODE-ID-keys, which outlives node and volume.',
    ).default(true),
    volumeSnapshot: group('A VolumeSnapshot is made before the wipe.', {
      className: objectName('Its VolumeSnapshotClass; the default one when left out.'),
      required: flag('Without it the migration does not go on.').default(false),
    }),
    retain: span('How long that Secret is kept after the migration has ended.').default('168h'),
    keep: whole(
      'Verified backups that stay on the volume; older ones go once a migration has put the newest one back.',
      { min: 1, max: 100 },
    ).default(KEPT_BACKUPS),
  }).default({}),
  onFailure: choice('What follows when all attempts are used up.', [
    'Hold',
    'Retry',
    'RollbackSnapshot',
    'ResyncOld',
  ]).default('Hold'),
  verify: group('What must hold before clients come back.', {
    logLines: flag('The startup lines of the split are looked for in the log.').default(true),
    traceLatest: flag('debug_traceBlockByNumber of the newest block gives a result.').default(true),
    minBlocks: whole('Blocks that the node must advance by.').default(20),
    stableFor: span('Time for which all of it must hold.').default('2m'),
  }).default({}),
  windows: WINDOWS,
}).default({});
