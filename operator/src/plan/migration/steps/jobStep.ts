import { act, type Decision, iso, isPast, note, SENTENCES, wait } from '../decision.ts';
import { jobName } from '../identity.ts';
import type { JobResult, JobView, ObservedState } from '../observedState.ts';
import type { JobPart, MigrationRecord } from '../record.ts';

export interface JobStep {
  readonly part: JobPart;
  readonly tries: number;
  /** `beside`: the node's own pod has the volume meanwhile. Otherwise nobody may have it. */
  readonly volume: 'beside' | 'alone';
  /** Written along with the Job's name, before there is a Job. */
  readonly before?: Partial<MigrationRecord>;
  readonly done: (result: JobResult) => Decision;
  /** After the last try. */
  readonly failed: (message: string) => Decision;
}

const LOOK_MS = 5_000;
const AGAIN_MS = 10_000;

/**
 * A step by a Job: its name is written down first, then it is made, then it is waited for. A try begins only when
 * the Job of the one before has failed and none of its pods is left, so that no two ever work on a volume.
 */
export function jobStep(observed: ObservedState, record: MigrationRecord, step: JobStep): Decision {
  const name = jobName(observed.node.name, record, step.part);
  if (record.job?.name !== name) {
    if (!isPast(observed.now, record.nextAttemptAt ?? iso(0)))
      return wait(Date.parse(record.nextAttemptAt!) - observed.now);
    return note(record, { ...step.before, job: { name, part: step.part } }, LOOK_MS);
  }
  const job = observed.jobs[name];
  if (job === undefined) {
    const users = step.volume === 'alone' ? observed.workload.volumeUsers : [];
    if (users.length === 0) return act({ do: 'createJob', name, part: step.part });
    return note(record, { message: `the volume is still used by ${users.join(', ')}` }, LOOK_MS);
  }
  if (job.state === 'running') return running(record, job);
  if (job.state === 'succeeded') return step.done(job.result);
  const message = job.result.error ?? `Job ${name} failed and left no message; look at its log`;
  if (record.try >= step.tries) return step.failed(message);
  return {
    do: 'persist',
    record: {
      ...record,
      try: record.try + 1,
      // A preflight that refuses has cost nothing; it is said aloud.
      ...(step.part === 'preflight' && { phase: 'Blocked' as const, reason: 'PreflightRefused' }),
      message: `${step.part}: ${message}`,
      nextAttemptAt: iso(observed.now + Math.min(AGAIN_MS * 2 ** (record.try - 1), 600_000)),
    },
  };
}

/** A machine without room for the pod looks like a Job that takes its time. */
function running(record: MigrationRecord, { delay }: JobView): Decision {
  const { delayed, ...job } = record.job!;
  if (delay !== undefined) {
    const message = `the pod of the Job waits: ${delay}`;
    return note(record, { message, job: { ...job, delayed: true } }, LOOK_MS);
  }
  return delayed ? note(record, { message: SENTENCES[record.phase], job }, LOOK_MS) : wait(LOOK_MS);
}
