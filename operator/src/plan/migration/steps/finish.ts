import { type Decision, enter, iso, isPast, note, type Step, wait } from '../decision.ts';
import { isRestored } from '../identity.ts';
import type { MigrationRecord } from '../record.ts';
import type { World } from '../world.ts';
import { again } from './again.ts';
import { held } from './hold.ts';
import { jobStep } from './jobStep.ts';

const LOOK_MS = 5_000;
const TRIES = 3;
const MOST_CRASHES = 3;

/** What can be seen from outside, then, beside the node, all that `chaind migrate evm-split verify` compares. */
export const verifying: Step = (world, record) => {
  const { workload } = world;
  if (
    workload.crash !== undefined &&
    workload.restarts >= (record.counters?.containerRestarts ?? 0) + MOST_CRASHES
  ) {
    return again(world, record, { reason: 'StartFailed', message: workload.crash });
  }
  const outside = world.checks ?? [];
  const wrong = outside.filter(({ ok }) => !ok);
  if (outside.length === 0 || wrong.length > 0) {
    if (isPast(world.now, record.deadline)) {
      return held(
        world,
        { ...record, evidence: outside },
        { reason: 'VerifyFailed', message: sayAll(wrong) },
      );
    }
    return wrong.length === 0 ? wait(LOOK_MS) : note(record, { message: sayAll(wrong) }, LOOK_MS);
  }
  // A volume from a snapshot has no migration in its journal any more.
  if (!world.shareable || isRestored(world.node.name, record)) return verified(world, record, outside);
  return jobStep(world, record, {
    part: 'verify',
    tries: TRIES,
    volume: 'beside',
    done: ({ checks = [] }) => verified(world, record, [...outside, ...checks]),
    failed: (message) => held(world, record, { reason: 'VerifyFailed', message }),
  });
};

function verified(world: World, record: MigrationRecord, evidence: World['checks'] & object): Decision {
  return enter(world, record, 'Releasing', { evidence });
}

/** Clients come back. A probe that stays red past the deadline is the fleet's alarm, not this migration's. */
export const releasing: Step = (world, record) => {
  const { serving, ready } = world.workload;
  if (!(serving && ready) && !isPast(world.now, record.deadline)) return wait(2_000);
  const ended = { reason: 'Completed', finishedAt: iso(world.now) } as const;
  if (!record.goingBack) return enter(world, record, 'Succeeded', ended);
  return enter(world, record, 'RolledBack', ended);
};

function sayAll(wrong: readonly { readonly name: string; readonly detail: string }[]): string {
  if (wrong.length === 0) return 'the node did not answer in time';
  return wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
}
