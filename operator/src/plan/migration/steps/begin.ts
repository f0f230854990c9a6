import type { MigrationReason } from '../../../api/index.ts';
import { type Decision, enter, iso, isPast, note, SENTENCES, type Step, wait } from '../decision.ts';
import type { MigrationRecord } from '../record.ts';
import type { World } from '../world.ts';
import { jobStep } from './jobStep.ts';

/** What was looked at longer ago is looked at again. */
const TRUST_AGE_MS = 3_600_000;
const LOOK_MS = 15_000;
/** A refused preflight is repeated, for what is wrong may be put right; nothing is lost by it. */
const ENDLESS = Number.POSITIVE_INFINITY;

export const pending: Step = (world, record) => enter(world, record, 'Preflight');

/** While the node serves: a refusal costs nothing. */
export const preflight: Step = (world, record) => {
  const [guard] = world.guards;
  if (guard) return note(record, { phase: 'Blocked', ...guard }, LOOK_MS);
  if (!isFresh(world, record)) return takeTrust(world, record);
  const before = record.before ?? world.nodeFacts;
  const ready = (): Decision =>
    enter(world, record, 'WaitingForSlot', before === undefined ? {} : { before });
  if (!world.shareable) return ready();
  return jobStep(world, record, {
    part: 'preflight',
    tries: ENDLESS,
    volume: 'beside',
    done: ready,
    failed: () => wait(LOOK_MS),
  });
};

export const waitingForSlot: Step = (world, record) => {
  if (world.guards.length > 0 || !isFresh(world, record)) {
    return enter(world, record, 'Preflight', { try: record.try + 1 });
  }
  if (world.settings.policy === 'Manual' && world.commands.approve !== record.id) {
    return note(
      record,
      {
        reason: 'AwaitingApproval',
        message: `approve it with: kubectl -n ${world.node.namespace} annotate --overwrite cn ${world.node.name} chain.dev/approve=${record.id}`,
      },
      LOOK_MS,
    );
  }
  if (world.wait) return note(record, world.wait, LOOK_MS);
  return enter(world, record, 'Draining');
};

const blocked = ({ phase }: MigrationRecord): Partial<MigrationRecord> =>
  phase === 'Preflight' ? { phase: 'Blocked' } : {};

const ABOUT_TRUST: ReadonlySet<MigrationReason> = new Set([
  'TrustDisagrees',
  'TrustUnreachable',
  'TrustWrongChain',
  'TrustStale',
]);

/** Resolves the block that is trusted, or says why not. */
export function takeTrust(world: World, record: MigrationRecord): Decision {
  if (world.trust === undefined) return wait(1_000);
  if ('point' in world.trust) {
    // What was said of the servers is over.
    const phase = record.phase === 'Blocked' ? 'Preflight' : record.phase;
    const said = { phase, reason: 'Progressing', message: SENTENCES[phase] } as const;
    const isOver = record.phase === 'Blocked' || ABOUT_TRUST.has(record.reason);
    return note(record, { ...(isOver && said), trust: world.trust.point }, LOOK_MS);
  }
  const { reason, problem } = world.trust;
  return note(record, { ...blocked(record), reason, message: problem }, LOOK_MS);
}

export function isFresh({ now }: World, { trust }: MigrationRecord): boolean {
  return trust !== undefined && !isPast(now, iso(Date.parse(trust.resolvedAt) + TRUST_AGE_MS));
}
