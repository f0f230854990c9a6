import type { ChainNodeFleet } from '../../api/index.ts';
import { secondsOf } from '../../resources/index.ts';
import { isWindowOpen, opensAfterMs } from '../windows.ts';
import { annotating } from './annotating.ts';
import { obstacleTo, type Team } from './budget.ts';
import type { Member } from './member.ts';
import type { Blocker, Rollout } from './observedFleet.ts';

export interface Grants {
  /** Nodes that are changed now. */
  readonly granted: readonly Member[];
  /** Why those that are left have to wait. */
  readonly blocker: Blocker | undefined;
}

interface GrantInput {
  readonly fleet: ChainNodeFleet;
  /** Every node that counts for the budget. */
  readonly members: readonly Member[];
  /** Nodes with an older spec that may be changed as far as canaries go, and those that ask to be taken away. */
  readonly outdated: readonly Member[];
  readonly rollout: Rollout;
  readonly halt: Blocker | undefined;
  readonly team: Omit<Team, 'members'>;
}

/** Who is changed now: those that do not serve first, then by ordinal, as many as the one budget allows. */
export function grantsOf(input: GrantInput): Grants {
  const { fleet, outdated } = input;
  if (outdated.length === 0) return { granted: [], blocker: undefined };
  const standing = standstill(input);
  if (standing) return { granted: [], blocker: standing };
  const granted: Member[] = [];
  const order = outdated.toSorted(firstServed);
  let left = input.members;
  for (const next of order) {
    const message = obstacleTo(next, { ...input.team, members: left });
    if (message !== undefined) return { granted, blocker: { reason: 'Budget', message } };
    granted.push(next);
    left = left.map((one) => (one === next ? { ...one, isTaken: true } : one));
    // With a delay, one at a time.
    if (secondsOf(fleet.spec.update.delay) > 0) break;
  }
  return { granted, blocker: undefined };
}

/** One that is away already takes nobody's place; then those that do not serve, by ordinal. */
const firstServed = (a: Member, b: Member): number =>
  Number(b.isTaken) - Number(a.isTaken) || Number(a.serves) - Number(b.serves) || a.ordinal - b.ordinal;

/** What holds all nodes back alike. */
export function standstill({
  fleet,
  members,
  rollout,
  halt,
  team: { nowMs, isResumed },
}: Omit<GrantInput, 'outdated'>): Blocker | undefined {
  const { delay, windows } = fleet.spec.update;
  const held = members.filter((one) => one.isHeld);
  if (held.length > 0 && !isResumed) {
    const names = held.map(({ name }) => name).join(', ');
    const message = `the migration of ${names} has stopped (kubectl -n ${fleet.metadata.namespace} describe cn ${held[0]!.name}); mend it, or go on without: ${annotating(fleet, 'resume', rollout)}`;
    return { reason: 'NodeHeld', message };
  }
  if (halt) return halt;
  if (!isWindowOpen(windows, nowMs))
    return {
      reason: 'OutsideWindow',
      message: 'no window of spec.update.windows is open',
      againAfterMs: opensAfterMs(windows, nowMs),
    };
  const waitMs =
    rollout.lastGrantAt === undefined ? 0 : Date.parse(rollout.lastGrantAt) + secondsOf(delay) * 1000 - nowMs;
  if (waitMs > 0)
    return { reason: 'Delay', message: `${delay} between two nodes are not over`, againAfterMs: waitMs };
  return undefined;
}
