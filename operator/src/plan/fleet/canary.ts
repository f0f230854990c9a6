import { type ChainNodeFleet, timestampOf } from '../../api/index.ts';
import { secondsOf } from '../../resources/index.ts';
import { annotating } from './annotating.ts';
import type { Member } from './member.ts';
import type { Blocker, Rollout, WantedComparison } from './observedFleet.ts';
import type { WantedNode } from './wantedNode.ts';

type Canary = NonNullable<Rollout['canary']>;

export interface CanaryVerdict {
  /** What is noted of it. */
  readonly canary: Canary | undefined;
  /** Ordinals that may be changed; all, when undefined. */
  readonly only: ReadonlySet<number> | undefined;
  readonly blocker: Blocker | undefined;
  readonly comparison: WantedComparison | undefined;
}

const ALL: CanaryVerdict = { canary: undefined, only: undefined, blocker: undefined, comparison: undefined };

interface CanaryInput {
  readonly fleet: ChainNodeFleet;
  readonly wanted: readonly WantedNode[];
  readonly members: readonly Member[];
  /** Whether some node still has another spec than it shall have. */
  readonly hasFollowers: boolean;
  readonly rollout: Rollout;
  readonly nowMs: number;
}

/** Who goes first, and whether the others may follow: after the soak, with the same answers, promoted. */
export function judgeCanary(input: CanaryInput): CanaryVerdict {
  const { fleet, wanted, rollout } = input;
  const { canary: policy, partition } = fleet.spec.update;
  // Nobody is left to follow, as in a fleet that has just been made.
  if (!input.hasFollowers) return { ...ALL, canary: rollout.canary };
  if (policy.count === 0 || rollout.canary?.result === 'Promoted') return { ...ALL, canary: rollout.canary };
  const first = wanted.filter(({ ordinal }) => ordinal >= partition).slice(0, policy.count);
  const only = new Set(first.map(({ ordinal }) => ordinal));
  const canaries = input.members.filter(({ ordinal, part }) => part === 'Member' && only.has(ordinal));
  const noted: Canary = { result: 'Pending', ...rollout.canary, nodes: canaries.map(({ name }) => name) };
  const areThere = first.every(({ ordinal, revision }) =>
    canaries.some(
      (one) => one.ordinal === ordinal && one.revision === revision && one.serves && one.isSettled,
    ),
  );
  if (!areThere) {
    const ordinals = [...only].join(', ');
    const message = `ordinal ${ordinals} goes first, and does not serve with the new spec yet`;
    return { canary: noted, only, blocker: { reason: 'CanaryWaiting', message }, comparison: undefined };
  }
  return soaked(input, { ...noted, syncedAt: noted.syncedAt ?? timestampOf(input.nowMs) }, only);
}

function soaked(
  { fleet, members, rollout, nowMs }: CanaryInput,
  canary: Canary,
  only: ReadonlySet<number>,
): CanaryVerdict {
  const { soak, autoPromote } = fleet.spec.update.canary;
  const names = (canary.nodes ?? []).join(', ');
  const leftMs = Date.parse(canary.syncedAt!) + secondsOf(soak) * 1000 - nowMs;
  const held = (blocker: Blocker, comparison?: WantedComparison) => ({ canary, only, blocker, comparison });
  if (canary.result === 'Different')
    return held({
      reason: 'CanaryFailed',
      message: `${(canary.differences ?? []).join('; ')}. Change the template, or go on all the same: ${annotating(fleet, 'promote', rollout)}`,
    });
  if (leftMs > 0)
    return held({
      reason: 'CanarySoaking',
      message: `${names} runs ${soak} before the others follow`,
      againAfterMs: leftMs,
    });
  if (canary.result !== 'Same') {
    const against = members.find((one) => one.serves && !only.has(one.ordinal) && one.part === 'Member');
    // Nobody is left to compare with: the canaries are the whole fleet.
    if (!against) return { ...ALL, canary: { ...canary, result: 'Promoted' } };
    return held(
      { reason: 'CanaryWaiting', message: `answers of ${names} are compared with those of ${against.name}` },
      { of: 'canary', candidates: canary.nodes ?? [], against: against.name },
    );
  }
  if (autoPromote) return { ...ALL, canary: { ...canary, result: 'Promoted' } };
  return held({
    reason: 'CanaryWaiting',
    message: `${names} answers as the others do; they follow with: ${annotating(fleet, 'promote', rollout)}`,
  });
}
