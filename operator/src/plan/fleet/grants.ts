import { ANNOTATIONS, type ChainNodeFleet } from '../../api/index.ts';
import { secondsOf } from '../../resources/index.ts';
import { isWindowOpen, opensAfterMs } from '../windows.ts';
import { annotating } from './annotating.ts';
import { availableOf, floorOf, mayBeTaken } from './budget.ts';
import type { Blocker, Rollout } from './fleetWorld.ts';
import type { Member } from './member.ts';

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
  /** Nodes with an older spec that may be changed as far as canaries go. */
  readonly outdated: readonly Member[];
  readonly rollout: Rollout;
  readonly nowMs: number;
}

/** Who is changed now: those that do not serve first, then by ordinal, as many as the one budget allows. */
export function grantsOf(input: GrantInput): Grants {
  const { fleet, members, outdated } = input;
  if (outdated.length === 0) return { granted: [], blocker: undefined };
  const standing = standstill(input);
  if (standing) return { granted: [], blocker: standing };
  const granted: Member[] = [];
  const order = outdated.toSorted((a, b) => Number(a.serves) - Number(b.serves) || a.ordinal - b.ordinal);
  for (const next of order) {
    const others = members.filter((one) => !granted.includes(one));
    if (!mayBeTaken(next, others, fleet.spec)) {
      const serving = availableOf(others);
      const message = `${serving} of ${fleet.spec.replicas} nodes serve undisturbed, ${floorOf(fleet.spec)} must stay when ${next.name} goes`;
      return { granted, blocker: { reason: 'Budget', message } };
    }
    granted.push(next);
    // With a delay, one at a time.
    if (secondsOf(fleet.spec.update.delay) > 0) break;
  }
  return { granted, blocker: undefined };
}

/** What holds all nodes back alike. */
export function standstill({
  fleet,
  members,
  rollout,
  nowMs,
}: Omit<GrantInput, 'outdated'>): Blocker | undefined {
  const { delay, windows } = fleet.spec.update;
  const held = members.filter((one) => one.isHeld);
  const isResumed = fleet.metadata.annotations?.[ANNOTATIONS.resume] === rollout.revision;
  if (held.length > 0 && !isResumed) {
    const names = held.map(({ name }) => name).join(', ');
    const message = `the migration of ${names} has stopped (kubectl -n ${fleet.metadata.namespace} describe cn ${held[0]!.name}); mend it, or go on without: ${annotating(fleet, 'resume', rollout)}`;
    return { reason: 'NodeHeld', message };
  }
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
