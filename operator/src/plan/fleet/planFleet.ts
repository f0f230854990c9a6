import { ANNOTATIONS, timestampOf } from '../../api/index.ts';
import { annotating } from './annotating.ts';
import { isTakenAway, obstacleToRemoval, type Team } from './budget.ts';
import { judgeCanary } from './canary.ts';
import { grantsOf, standstill } from './grants.ts';
import { haltOf } from './halt.ts';
import { type Member, memberOf } from './member.ts';
import type { Blocker, FleetAction, FleetPlan, ObservedFleet, Rollout } from './observedFleet.ts';
import { removal, surgeSteps, twinOf, wantsTwin } from './surge.ts';
import { askersOf, endedTurns, turnFor } from './turns.ts';
import { nodeManifest, rolloutRevision, type WantedNode, wantedNodes } from './wantedNode.ts';

/** What a fleet does next. Pure: equal worlds give equal plans. Source: spec O-1. */
export function planFleet(observed: ObservedFleet): FleetPlan {
  const { fleet, nowMs } = observed;
  const wanted = wantedNodes(fleet);
  const found = observed.nodes.map((node) => memberOf(node, observed.servingNow));
  const rollout = rolloutOf(observed);
  if (fleet.spec.paused) return untouched(rollout, wanted, found);
  const isResumed = fleet.metadata.annotations?.[ANNOTATIONS.resume] === rollout.revision;
  const resume = annotating(fleet, 'resume', rollout);
  const halt = isResumed ? undefined : haltOf(found, observed.network ?? [], resume);
  const team = { spec: fleet.spec, nowMs, isResumed };
  const ended = endedTurns(found, { ...team, isHalted: halt !== undefined });
  const { members } = ended;
  const surge = surgeSteps({ fleet, wanted, members, team });
  const pairs = outdatedOf(wanted, members);
  const canary = judgeCanary({ fleet, wanted, members, rollout, nowMs, hasFollowers: pairs.length > 0 });
  const free = pairs.filter(
    ([{ ordinal }]) => ordinal >= fleet.spec.update.partition && (canary.only?.has(ordinal) ?? true),
  );
  const [twinned, inPlace] = split(free, ([member, wish]) => wantsTwin(fleet, member, wish));
  const turning = members.filter((one) => !surge.actions.some((action) => takesAway(action, one)));
  const surplus = surplusOf(team, wanted, turning);
  const staying = turning.filter((one) => !surplus.includes(one));
  const isPaired = (one: Member) => pairs.some(([member]) => member === one);
  const asking = askersOf(staying).filter((one) => !isPaired(one));
  const outdated = [...inPlace.map(([member]) => member), ...asking];
  const grants = grantsOf({ fleet, members: staying, outdated, rollout, halt, team });
  const standing = twinned.length > 0 ? standstill({ fleet, members, rollout, halt, team }) : undefined;
  // A twin takes nobody away: it comes also where an old node has to stay for the floor's sake.
  const isStopped = standing !== undefined || surge.blocker?.reason === 'TwinDiffers';
  const twins = isStopped ? [] : newTwins(observed, twinned, members);
  const changed = inPlace.filter(([member]) => grants.granted.includes(member));
  const turns = asking.filter((one) => grants.granted.includes(one));
  const actions = [
    ...ended.actions,
    ...additions(observed, wanted, members),
    ...surplus.map((one) => scaledAway(observed, one)),
    ...surge.actions,
    ...twins,
    ...changed.map(([member, wish]) => change(observed, member, wish)),
    ...turns.map((one) => turnFor(one, nowMs)),
  ];
  const blocker = grants.blocker ?? surge.blocker ?? standing ?? canary.blocker ?? partitioned(pairs, free);
  const hasGranted = changed.length + twins.length + turns.length > 0;
  const waiting = [...pairs.map(([member]) => member), ...asking];
  return {
    members,
    actions,
    blocker: waiting.length > 0 ? blocker : halt,
    comparisons: [...surge.comparisons, ...(canary.comparison ? [canary.comparison] : [])],
    rollout: {
      ...progressOf(rollout, { waiting, members, wanted, nowMs, blocker }),
      ...(canary.canary && { canary: canary.canary }),
      ...(hasGranted && { lastGrantAt: timestampOf(nowMs) }),
    },
    againAfterMs: earliest([surge.againAfterMs, blocker?.againAfterMs]),
  };
}

/** Whether a node is taken away by it: right before that, pods are looked at. */
export const takes = (action: FleetAction): boolean =>
  (action.kind === 'turn' && action.at !== undefined) ||
  action.kind === 'delete' ||
  (action.kind === 'patch' && action.patch.spec.hibernate) ||
  (action.kind === 'apply' && action.manifest.metadata.annotations?.[ANNOTATIONS.turn] !== undefined);

type Pair = readonly [Member, WantedNode];

/** Members whose spec is not the one that is wanted. */
function outdatedOf(wanted: readonly WantedNode[], members: readonly Member[]): readonly Pair[] {
  return wanted.flatMap((wish): readonly Pair[] => {
    const member = members.find(({ ordinal, part }) => ordinal === wish.ordinal && part === 'Member');
    return member && member.revision !== wish.revision ? [[member, wish]] : [];
  });
}

/** A rollout begins anew with every other template; a promotion by annotation is noted in it. */
function rolloutOf({ fleet, nowMs }: ObservedFleet): Rollout {
  const revision = rolloutRevision(fleet);
  const known = fleet.status?.rollout;
  const rollout: Rollout =
    known?.revision === revision ? known : { revision, phase: 'Rolling', startedAt: timestampOf(nowMs) };
  const isPromoted = fleet.metadata.annotations?.[ANNOTATIONS.promote] === revision;
  return isPromoted ? { ...rollout, canary: { ...rollout.canary, result: 'Promoted' } } : rollout;
}

/** Whether a node that may serve now does not do so behind this action. */
function takesAway(action: FleetAction, { name }: Member): boolean {
  if (action.kind === 'apply' || action.kind === 'turn' || action.name !== name) return false;
  return action.kind === 'delete' || action.patch.spec.hibernate;
}

/** New nodes come at once. */
function additions(
  { fleet }: ObservedFleet,
  wanted: readonly WantedNode[],
  members: readonly Member[],
): readonly FleetAction[] {
  const missing = wanted.filter(({ ordinal }) => !members.some((one) => one.ordinal === ordinal));
  return missing.map((wish): FleetAction => {
    const name = `${fleet.metadata.name}-${wish.ordinal}`;
    const manifest = nodeManifest(fleet, wish, { name });
    return { kind: 'apply', manifest, reason: 'NodeAdded', note: `${name} is made` };
  });
}

/** Nodes that are not wanted any more, and that may go now: those that stay may be away for a change. */
function surplusOf(
  team: Omit<Team, 'members'>,
  wanted: readonly WantedNode[],
  members: readonly Member[],
): readonly Member[] {
  const gone: Member[] = [];
  for (const one of members) {
    if (wanted.some(({ ordinal }) => ordinal === one.ordinal)) continue;
    const others = members.filter((other) => !gone.includes(other));
    if (obstacleToRemoval(one, { ...team, members: others }) === undefined) gone.push(one);
  }
  return gone;
}

function scaledAway({ fleet }: ObservedFleet, one: Member): FleetAction {
  // A second node that has not served yet has nothing that anybody could miss.
  const policy = one.part === 'Twin' ? 'Delete' : fleet.spec.retain.whenScaled;
  return removal(one, policy, 'NodeRemoved', `the fleet has ${fleet.spec.replicas} nodes`);
}

function newTwins(
  observed: ObservedFleet,
  pairs: readonly Pair[],
  members: readonly Member[],
): readonly FleetAction[] {
  const { fleet, nowMs } = observed;
  const busy = new Set(members.filter(({ part }) => part === 'Twin').map(({ ordinal }) => ordinal));
  const isBack = ([member, wish]: Pair) =>
    members.some(
      (one) => one.ordinal === member.ordinal && one.part === 'Retired' && one.revision === wish.revision,
    );
  const next = pairs.filter((pair) => !busy.has(pair[0].ordinal) && !isBack(pair));
  const room = Math.max(0, fleet.spec.update.maxSurge - busy.size);
  return next.slice(0, room).map(([member, wish]) => twinOf(fleet, member, wish, nowMs));
}

/** The turn comes with the new spec: what is granted is counted, whoever dies in between. */
function change({ fleet, nowMs }: ObservedFleet, { name }: Member, wish: WantedNode): FleetAction {
  const annotations = { [ANNOTATIONS.turn]: timestampOf(nowMs) };
  const manifest = nodeManifest(fleet, wish, { name, annotations });
  return { kind: 'apply', manifest, reason: 'NodeChanged', note: `${name} gets the new spec` };
}

function partitioned(all: readonly Pair[], free: readonly Pair[]): Blocker | undefined {
  if (all.length === 0 || free.length > 0) return undefined;
  return { reason: 'Partition', message: 'nodes below spec.update.partition keep what they have' };
}

interface Progress {
  /** Those that have something before them, and may not begin yet. */
  readonly waiting: readonly Member[];
  readonly members: readonly Member[];
  readonly wanted: readonly WantedNode[];
  readonly nowMs: number;
  readonly blocker: Blocker | undefined;
}

function progressOf(rollout: Rollout, { members, wanted, nowMs, blocker, ...all }: Progress): Rollout {
  const waiting = all.waiting.map(({ name }) => name);
  const active = members.filter((one) => isUnderWay(one, wanted)).map(({ name }) => name);
  const { blockedBy: _, finishedAt, ...rest } = rollout;
  const isOver = waiting.length === 0 && active.length === 0 && members.length > 0;
  const ended = isOver ? { finishedAt: finishedAt ?? timestampOf(nowMs) } : {};
  const because = blocker && !isOver ? { blockedBy: blocker.message } : {};
  return { ...rest, ...ended, ...because, active, waiting, phase: phaseOf({ isOver, blocker, members }) };
}

/** It has the new spec, and has not come through yet. */
function isUnderWay(one: Member, wanted: readonly WantedNode[]): boolean {
  if (one.part === 'Retired') return false;
  const isNew = wanted.some(({ ordinal, revision }) => ordinal === one.ordinal && revision === one.revision);
  if (isTakenAway(one)) return true;
  if (one.asks) return false;
  return one.part === 'Twin' || one.part === 'Leaving' || (isNew && !(one.isReady && one.isSettled));
}

/** Until a person has decided. */
const STOPPED: readonly Blocker['reason'][] = ['CanaryFailed', 'NodeHeld', 'TwinDiffers'];
const OF_CANARY: readonly Blocker['reason'][] = ['CanaryWaiting', 'CanarySoaking'];

function phaseOf(state: {
  readonly isOver: boolean;
  readonly blocker: Blocker | undefined;
  readonly members: readonly Member[];
}): Rollout['phase'] {
  const { isOver, blocker, members } = state;
  if (isOver) return members.some(({ part }) => part === 'Retired') ? 'Soaking' : 'Complete';
  if (blocker && STOPPED.includes(blocker.reason)) return 'Paused';
  if (blocker && OF_CANARY.includes(blocker.reason)) return 'Canary';
  if (members.some(({ part }) => part === 'Twin')) return 'Surging';
  return blocker && blocker.reason !== 'Budget' && blocker.reason !== 'Delay' ? 'Blocked' : 'Rolling';
}

function untouched(rollout: Rollout, wanted: readonly WantedNode[], members: readonly Member[]): FleetPlan {
  const waiting = outdatedOf(wanted, members).map(([{ name }]) => name);
  const blocker = { reason: 'Paused', message: 'spec.paused: nothing is changed' } as const;
  return {
    members,
    actions: [],
    blocker,
    comparisons: [],
    againAfterMs: undefined,
    rollout: { ...rollout, phase: 'Paused', blockedBy: blocker.message, active: [], waiting },
  };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(1, Math.min(...known));
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
