import { timestampOf } from '../../api/index.ts';
import { type Moment, obstacleTo } from './budget.ts';
import { isCurrent, type Member } from './member.ts';
import type { FleetAction } from './observedFleet.ts';

type Turn = Extract<FleetAction, { kind: 'turn' }>;

const turn = ({ name, node }: Member, at: string | undefined, reason: string, note: string): Turn => ({
  kind: 'turn',
  name,
  at,
  reason,
  note,
  resourceVersion: node.metadata.resourceVersion,
});

/** Nodes that ask to be taken away for something that their spec has asked for before, or that the operator changes. */
export const askersOf = (members: readonly Member[]): readonly Member[] =>
  members.filter((one) => isCurrent(one) && one.asks && !one.isTaken);

export const turnFor = (one: Member, nowMs: number): Turn =>
  turn(one, timestampOf(nowMs), 'NodeTaken', `${one.name} may be taken away for what it waits for`);

export interface EndedTurns {
  readonly actions: readonly Turn[];
  /** The members as they are after that. */
  readonly members: readonly Member[];
}

/** Turns of nodes that serve again, and of those that have not begun and may not go any more. */
export function endedTurns(
  members: readonly Member[],
  { isHalted, ...team }: Omit<Moment, 'servingNow'>,
): EndedTurns {
  const actions: Turn[] = [];
  let left = members;
  for (const one of members) {
    const ended = endOf(one, () => isHalted || obstacleTo(one, { ...team, members: left }) !== undefined);
    if (!ended) continue;
    actions.push(ended);
    left = left.map((other) => (other === one ? { ...one, isTaken: false } : other));
  }
  return { actions, members: left };
}

function endOf(one: Member, mayNotGo: () => boolean): Turn | undefined {
  if (!one.isTaken) return undefined;
  if (one.serves && one.isSettled && !one.asks)
    return turn(one, undefined, 'NodeBack', `${one.name} serves again`);
  // One that does not serve may be away already, and ask for the next thing.
  if (one.asks && one.serves && mayNotGo())
    return turn(one, undefined, 'NodeWaits', `${one.name} has not begun, and too few others serve`);
  return undefined;
}
