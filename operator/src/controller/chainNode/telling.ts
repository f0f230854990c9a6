import { isDeepStrictEqual } from 'node:util';
import type { ChainNodeStatus } from '../../api/index.ts';
import { keyOf } from '../../kube/index.ts';
import type { NodeView } from '../../task/index.ts';
import type { HeightPace } from '../heightPace.ts';

/** What a pass would write of a node's condition. */
export interface Said {
  readonly phase: ChainNodeStatus['phase'];
  readonly conditions: ChainNodeStatus['conditions'];
  readonly chain: ChainNodeStatus['chain'] | undefined;
  readonly isMoving: boolean;
  readonly nowMs: number;
}

/** Whether it is written now: what is new at once; what has only moved on, when it is its turn. */
export function tellsNow(pace: HeightPace, { node }: NodeView, said: Said): boolean {
  const { status: before } = node;
  const { phase, conditions, chain, isMoving, nowMs } = said;
  const key = keyOf(node);
  if (phase !== before?.phase || isNews(conditions, before?.conditions)) {
    pace.told(key, nowMs);
    return true;
  }
  const hasMoved = !isDeepStrictEqual([conditions, chain], [before?.conditions, before?.chain]);
  return hasMoved && pace.mayTell(key, nowMs, isMoving);
}

/** It syncs, or its data are replaced, and somebody may be watching. One that waits for a person stands still. */
export function isMoving({ node, desired, observation }: NodeView, isMigrating: boolean): boolean {
  const { report, problem } = observation ?? {};
  if (isMigrating && !desired.serves && node.status?.migration?.phase !== 'Held') return true;
  if (!report || problem !== undefined) return false;
  return report.stage !== 'running' || report.catchingUp || report.height === 0;
}

/** Conditions differ in more than heights, counts and ages, which change with every block. */
function isNews(conditions: Said['conditions'], before: Said['conditions'] | undefined): boolean {
  return !isDeepStrictEqual(withoutNumbers(conditions), withoutNumbers(before));
}

function withoutNumbers(conditions: Said['conditions'] | undefined): object {
  return (conditions ?? []).map(({ message, ...condition }) => ({
    ...condition,
    message: message?.replaceAll(/\d+/g, '0'),
  }));
}
