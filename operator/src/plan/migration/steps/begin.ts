import type { MigrationReason } from '../../../api/index.ts';
import { type Decision, enter, iso, isPast, note, SENTENCES, type Step, wait } from '../decision.ts';
import type { ObservedState } from '../observedState.ts';
import type { MigrationRecord } from '../record.ts';
import { jobStep } from './jobStep.ts';

/** What was looked at longer ago is looked at again. */
const TRUST_AGE_MS = 3_600_000;
const LOOK_MS = 15_000;
/** A refused preflight is repeated, for what is wrong may be put right; nothing is lost by it. */
const ENDLESS = Number.POSITIVE_INFINITY;

export const pending: Step = (observed, record) => enter(observed, record, 'Preflight');

/** While the node serves: a refusal costs nothing. */
export const preflight: Step = (observed, record) => {
  const [guard] = observed.guards;
  if (guard) return note(record, { phase: 'Blocked', ...guard }, LOOK_MS);
  if (!isFresh(observed, record)) return takeTrust(observed, record);
  const before = record.before ?? observed.nodeFacts;
  const ready = (): Decision =>
    enter(observed, record, 'WaitingForSlot', {
      ...(before !== undefined && { before }),
      message: `${SENTENCES.WaitingForSlot}; ${lostHistory(record)}`,
    });
  if (!observed.shareable) return ready();
  return jobStep(observed, record, {
    part: 'preflight',
    tries: ENDLESS,
    volume: 'beside',
    done: ready,
    failed: () => wait(LOOK_MS),
  });
};

export const waitingForSlot: Step = (observed, record) => {
  if (observed.guards.length > 0 || !isFresh(observed, record)) {
    return enter(observed, record, 'Preflight', { try: record.try + 1 });
  }
  if (observed.settings.policy === 'Manual' && observed.commands.approve !== record.id) {
    return note(
      record,
      {
        reason: 'AwaitingApproval',
        message: `approve it with: kubectl -n ${observed.node.namespace} annotate --overwrite cn ${observed.node.name} chain.dev/approve=${record.id}; ${lostHistory(record)}`,
      },
      LOOK_MS,
    );
  }
  if (observed.wait) return note(record, observed.wait, LOOK_MS);
  return enter(observed, record, 'Draining');
};

/** What no state sync brings back: said while nothing is lost yet. */
const lostHistory = ({ trust, before }: MigrationRecord): string =>
  `behind it the node has no history below the snapshot that it finds, about height ${trust?.height ?? 1} or newer${before.earliest === undefined ? '' : ` (now ${before.earliest})`}`;

const blocked = ({ phase }: MigrationRecord): Partial<MigrationRecord> =>
  phase === 'Preflight' ? { phase: 'Blocked' } : {};

const ABOUT_TRUST: ReadonlySet<MigrationReason> = new Set([
  'TrustDisagrees',
  'TrustUnreachable',
  'TrustWrongChain',
  'TrustStale',
]);

/** Resolves the block that is trusted, or says why not. */
export function takeTrust(observed: ObservedState, record: MigrationRecord): Decision {
  if (observed.trust === undefined) return wait(1_000);
  if ('point' in observed.trust) {
    // What was said of the servers is over.
    const phase = record.phase === 'Blocked' ? 'Preflight' : record.phase;
    const said = { phase, reason: 'Progressing', message: SENTENCES[phase] } as const;
    const isOver = record.phase === 'Blocked' || ABOUT_TRUST.has(record.reason);
    return note(record, { ...(isOver && said), trust: observed.trust.point }, LOOK_MS);
  }
  const { reason, problem } = observed.trust;
  return note(record, { ...blocked(record), reason, message: problem }, LOOK_MS);
}

export function isFresh({ now }: ObservedState, { trust }: MigrationRecord): boolean {
  return trust !== undefined && !isPast(now, iso(Date.parse(trust.resolvedAt) + TRUST_AGE_MS));
}
