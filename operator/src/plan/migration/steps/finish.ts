import { type Decision, enter, iso, isPast, note, type Step, wait } from '../decision.ts';
import { isRestored } from '../identity.ts';
import type { ObservedState } from '../observedState.ts';
import type { MigrationRecord } from '../record.ts';
import { again } from './again.ts';
import { held } from './hold.ts';
import { jobStep } from './jobStep.ts';

const LOOK_MS = 5_000;
const TRIES = 3;
const MAX_CRASHES = 3;

/** What can be seen from outside, then, beside the node, all that `chaind migrate evm-split verify` compares. */
export const verifying: Step = (observed, record) => {
  const { workload } = observed;
  if (
    workload.crash !== undefined &&
    workload.restarts >= (record.counters?.containerRestarts ?? 0) + MAX_CRASHES
  ) {
    return again(observed, record, { reason: 'StartFailed', message: workload.crash });
  }
  const outside = observed.checks ?? [];
  const wrong = outside.filter(({ ok }) => !ok);
  if (outside.length === 0 || wrong.length > 0) {
    if (isPast(observed.now, record.deadline)) {
      return held(
        observed,
        { ...record, evidence: outside },
        { reason: 'VerifyFailed', message: sayAll(wrong) },
      );
    }
    return wrong.length === 0 ? wait(LOOK_MS) : note(record, { message: sayAll(wrong) }, LOOK_MS);
  }
  // A volume from a snapshot has no migration in its journal any more.
  if (!observed.shareable || isRestored(observed.node.name, record))
    return verified(observed, record, outside);
  return jobStep(observed, record, {
    part: 'verify',
    tries: TRIES,
    volume: 'beside',
    done: ({ checks = [] }) => verified(observed, record, [...outside, ...checks]),
    failed: (message) => held(observed, record, { reason: 'VerifyFailed', message }),
  });
};

function verified(
  observed: ObservedState,
  record: MigrationRecord,
  evidence: ObservedState['checks'] & object,
): Decision {
  return enter(observed, record, 'Releasing', { evidence });
}

/** Clients come back. A probe that stays red past the deadline is the fleet's alarm, not this migration's. */
export const releasing: Step = (observed, record) => {
  const { serving, ready } = observed.workload;
  if (!(serving && ready) && !isPast(observed.now, record.deadline)) return wait(2_000);
  const ended = { reason: 'Completed', finishedAt: iso(observed.now) } as const;
  if (!record.goingBack) return enter(observed, record, 'Succeeded', ended);
  return enter(observed, record, 'RolledBack', ended);
};

function sayAll(wrong: readonly { readonly name: string; readonly detail: string }[]): string {
  if (wrong.length === 0) return 'the node did not answer in time';
  return wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
}
