import { enter, isPast, type Step } from '../decision.ts';
import { abort } from './back.ts';
import { isFresh, takeTrust } from './begin.ts';
import { type HoldReason, held } from './hold.ts';
import { jobStep } from './jobStep.ts';

const TRIES = 3;

/**
 * The point of no return is in the record, under an optimistic lock, before there is a Job that deletes anything;
 * and that Job deletes nothing without the backup whose digest it is given.
 */
export const applying: Step = (observed, record) => {
  if (record.job === undefined && !isFresh(observed, record)) {
    if (isPast(observed.now, record.deadline)) {
      const why: HoldReason = { reason: 'TrustUnreachable', message: problemOf(observed.trust) };
      return record.pastPointOfNoReturn ? held(observed, record, why) : abort(observed, record, why);
    }
    return takeTrust(observed, record);
  }
  return jobStep(observed, record, {
    part: 'apply',
    tries: TRIES,
    volume: 'alone',
    before: { pastPointOfNoReturn: true },
    done: ({ backup, trust }) =>
      enter(observed, record, 'Starting', {
        progress: undefined,
        ...(backup && { backup: { ...record.backup!, ...backup } }),
        ...(trust && { trust: { ...record.trust!, ...trust } }),
      }),
    failed: (message) => held(observed, record, { reason: 'ApplyFailed', message }),
  });
};

function problemOf(trust: Parameters<Step>[0]['trust']): string {
  return trust && 'problem' in trust ? trust.problem : 'no trusted RPC answered in time';
}
