import type { ChainNodeFleetSpec } from '../../api/index.ts';
import type { Member } from './member.ts';

/** Nodes that may be away at once, for whatever reason; at least 1, or nothing could ever be changed. */
function maxUnavailable({ replicas, disruption }: ChainNodeFleetSpec): number {
  const given = disruption.maxUnavailable;
  const count = typeof given === 'number' ? given : Math.floor((replicas * Number.parseInt(given, 10)) / 100);
  return Math.max(1, count);
}

/** How many nodes must serve whatever the fleet does. */
export function floorOf(spec: ChainNodeFleetSpec): number {
  return Math.max(spec.replicas - maxUnavailable(spec), spec.disruption.minSynced ?? 0);
}

/** Nodes that serve and that nobody is changing. */
export function availableOf(members: readonly Member[]): number {
  return members.filter(({ serves, isSettled }) => serves && isSettled).length;
}

/**
 * Whether this node may be taken away. One that does not serve may always be: nothing gets worse by changing it, and a
 * node that can never be ready would otherwise never be replaced.
 */
export function mayBeTaken(member: Member, members: readonly Member[], spec: ChainNodeFleetSpec): boolean {
  if (!member.serves) return true;
  return availableOf(members.filter((other) => other !== member)) >= floorOf(spec);
}
