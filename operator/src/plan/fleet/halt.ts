import { ANNOTATIONS, type ChainNode, type ChainNodeFleet } from '../../api/index.ts';
import { isCurrent, type Member, memberOf } from './member.ts';
import type { Blocker } from './observedFleet.ts';

/** Nodes that got the same last block may have committed it or not. */
const SPREAD = 1;
/** What one node alone says may be its own trouble. */
const LEAST = 2;

/** Where all nodes that know of the chain are stale at one height: it stands, and nothing is mended by changing nodes. */
export function haltOf(
  members: readonly Member[],
  network: readonly ChainNode[],
  resume: string,
): Blocker | undefined {
  const others = network.map((node) => memberOf(node));
  const known = [...members.filter(isCurrent), ...others].filter(knows);
  const heights = known.flatMap(({ staleAt }) => staleAt ?? []);
  if (known.length < LEAST || heights.length < known.length) return undefined;
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  if (highest - lowest > SPREAD) return undefined;
  const message = `all ${known.length} nodes of the chain stand at height ${highest}: nothing is changed until it goes on; where the change mends the chain: ${resume}`;
  return { reason: 'ChainHalted', message };
}

/** Whether the fleet's last look has found that. */
export const isHaltedBy = ({ status }: ChainNodeFleet): boolean =>
  status?.conditions?.some((it) => it.type === 'RolloutBlocked' && it.reason === 'ChainHalted') ?? false;

/** Whether somebody has said that this rollout goes on all the same. */
export const isResumedBy = ({ metadata, status }: ChainNodeFleet): boolean => {
  const revision = status?.rollout?.revision;
  return revision !== undefined && metadata.annotations?.[ANNOTATIONS.resume] === revision;
};

/** One that runs, and that nobody is changing. */
const knows = ({ node, isTaken, isBroken }: Member): boolean =>
  !isTaken && !isBroken && !node.spec.hibernate && !node.spec.fenced;
