import type { ChainNodeFleetSpec } from '../../api/index.ts';
import { isCurrent, type Member } from './member.ts';

/** How many nodes there are to be, and how many of them may be away. */
export type Bounds = Pick<ChainNodeFleetSpec, 'replicas' | 'disruption'>;

/** A node that has not served for so long does not come back by itself. */
const LOST_MS = 600_000;

/** Nodes that may be away at once, for whatever reason; at least 1, or nothing could ever be changed. */
function maxUnavailable({ replicas, disruption }: Bounds): number {
  const given = disruption.maxUnavailable;
  const count = typeof given === 'number' ? given : Math.floor((replicas * Number.parseInt(given, 10)) / 100);
  return Math.max(1, count);
}

/** How many nodes must serve whatever the fleet does. */
export function floorOf(spec: Bounds): number {
  return Math.max(spec.replicas - maxUnavailable(spec), spec.disruption.minSynced ?? 0);
}

/** How many the operator takes away at once, whatever their readiness says; one that does not serve can be mended. */
export const maxTaken = (spec: Bounds): number => Math.max(1, spec.replicas - floorOf(spec));

/** Nodes that serve, and that are not about to be taken away. */
const availableOf = (members: readonly Member[]): number =>
  members.filter(({ serves, isTaken }) => serves && !isTaken).length;

export const isTakenAway = (member: Member): boolean => isCurrent(member) && member.isTaken;

/** Whether waiting for it is in vain: it is known to fail, or has been away for long. */
const isLost = (
  { isBroken, isReady, readySinceMs, staleAt }: Member,
  { nowMs, isResumed }: Pick<Team, 'nowMs' | 'isResumed'>,
): boolean =>
  isBroken || (!isReady && (nowMs - readySinceMs >= LOST_MS || (isResumed && staleAt !== undefined)));

interface Leaver {
  readonly serves: boolean;
  readonly isLost: boolean;
  /** Nodes beside it that serve. */
  readonly others: number;
  readonly floor: number;
}

/**
 * Whether a node may go as far as those count that serve. One that is unready for a moment counts as one that serves:
 * when the whole fleet loses its readiness for one look, all come back by themselves. One that is lost may always go:
 * nothing gets worse, and it would otherwise never be replaced.
 */
const leavesEnough = ({ serves, isLost, others, floor }: Leaver): boolean =>
  (isLost && !serves) || others >= floor;

export interface Team {
  readonly members: readonly Member[];
  readonly spec: Bounds;
  readonly nowMs: number;
  /** Somebody has said that the rollout mends a chain that stands. */
  readonly isResumed: boolean;
}

/** Why this node may not go for good; `undefined` when it may. */
export function obstacleToRemoval(member: Member, team: Team): string | undefined {
  const { members, spec } = team;
  const others = availableOf(members.filter((other) => other !== member));
  const floor = floorOf(spec);
  if (leavesEnough({ serves: member.mayServe, isLost: isLost(member, team), others, floor }))
    return undefined;
  return `${others} of ${spec.replicas} nodes serve undisturbed, ${floor} must stay when ${member.name} goes`;
}

/** Why this node may not be taken away for a change; `undefined` when it may. */
export function obstacleTo(member: Member, team: Team): string | undefined {
  // It is away already, and counted; another change of it takes nobody else.
  if (member.isTaken && !member.mayServe && !member.asks) return undefined;
  const obstacle = obstacleToRemoval(member, team);
  if (obstacle !== undefined) return obstacle;
  const taken = team.members.filter((other) => other !== member && isTakenAway(other));
  const most = maxTaken(team.spec);
  if (taken.length < most) return undefined;
  const names = taken.map(({ name }) => name).join(', ');
  return `${member.name} waits for ${names}: ${taken.length} of at most ${most} are changed now`;
}

/** What is known when a node is about to go: which nodes' pods serve now, and whether the fleet has seen the chain stand. */
export interface Moment extends Omit<Team, 'members'> {
  readonly servingNow: ReadonlySet<string>;
  readonly isHalted: boolean;
}

/** What a node asks itself right before it goes. */
export function mayGoNow(member: Member, moment: Moment): boolean {
  const { servingNow, isHalted, spec } = moment;
  if (isHalted) return false;
  const serves = servingNow.has(member.name);
  const others = servingNow.size - (serves ? 1 : 0);
  return leavesEnough({ serves, isLost: isLost(member, moment), others, floor: floorOf(spec) });
}
