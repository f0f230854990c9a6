import { ANNOTATIONS, type ChainNodeFleet, timestampOf } from '../../api/index.ts';
import { secondsOf } from '../../resources/index.ts';
import { obstacleToRemoval, type Team } from './budget.ts';
import { isCurrent, type Member } from './member.ts';
import type { Blocker, FleetAction, WantedComparison } from './observedFleet.ts';
import { mergePatch, nodeManifest, twinName, type WantedNode } from './wantedNode.ts';

interface SurgeInput {
  readonly fleet: ChainNodeFleet;
  readonly wanted: readonly WantedNode[];
  readonly members: readonly Member[];
  readonly team: Omit<Team, 'members'>;
}

/** What one node of a surge leads to. */
interface Step {
  readonly actions?: readonly FleetAction[];
  readonly comparison?: WantedComparison;
  readonly blocker?: Blocker;
  readonly againAfterMs?: number;
}

export interface Surge {
  readonly actions: readonly FleetAction[];
  readonly comparisons: readonly WantedComparison[];
  readonly blocker: Blocker | undefined;
  readonly againAfterMs: number | undefined;
}

/** Whether the change gives the node another state store, for which a second node is filled beside it. */
export function wantsTwin(fleet: ChainNodeFleet, { node }: Member, wanted: WantedNode): boolean {
  if (fleet.spec.update.strategy !== 'Surge') return false;
  const now = node.spec.stateStore;
  const next = wanted.spec.stateStore as typeof now;
  return now.evmSplit !== next.evmSplit || now.backend !== next.backend;
}

/** The second node: the same ordinal, a volume and a node key of its own, filled by state sync while the old one serves. */
export function twinOf(fleet: ChainNodeFleet, old: Member, wanted: WantedNode, nowMs: number): FleetAction {
  const name = twinName(fleet, wanted);
  // Until it serves its volume is worth nothing to anybody.
  const own = { stateSync: { onInit: true }, deletionPolicy: 'Delete' };
  const spec = mergePatch(wanted.spec, own) as WantedNode['spec'];
  const annotations = { [ANNOTATIONS.part]: 'Twin', [ANNOTATIONS.partSince]: timestampOf(nowMs) };
  return {
    kind: 'apply',
    manifest: nodeManifest(fleet, { ...wanted, spec }, { name, annotations }),
    reason: 'Surging',
    note: `${name} is filled by state sync beside ${old.name}, which goes on serving`,
  };
}

/** Twins that answer alike take over, old nodes whose time is over go, those that are wanted again come back. */
export function surgeSteps(input: SurgeInput): Surge {
  const steps = input.members.map((one) => stepOf(input, one));
  const times = steps.flatMap(({ againAfterMs }) => againAfterMs ?? []);
  return {
    actions: steps.flatMap(({ actions }) => actions ?? []),
    comparisons: steps.flatMap(({ comparison }) => comparison ?? []),
    blocker: steps.find(({ blocker }) => blocker)?.blocker,
    againAfterMs: times.length === 0 ? undefined : Math.min(...times),
  };
}

function stepOf(input: SurgeInput, one: Member): Step {
  const wish = input.wanted.find(({ ordinal }) => ordinal === one.ordinal);
  if (!wish || one.part === 'Member') return {};
  if (one.part === 'Twin') return twinStep(input, one, wish);
  if (one.part === 'Leaving') return leavingStep(input, one);
  return retiredStep(input, one, wish);
}

/** Beside the node that it shall replace; then it is compared with it; then both change places. */
function twinStep(
  { members, wanted, fleet, team: { nowMs } }: SurgeInput,
  twin: Member,
  wish: WantedNode,
): Step {
  if (twin.revision !== wish.revision)
    return { actions: [removal(twin, 'Delete', 'SurgeSuperseded', 'the template has changed again')] };
  if (!twin.isReady || !twin.isSettled) return {};
  const old = members.find((one) => one.ordinal === twin.ordinal && isCurrent(one));
  const isOld = ({ ordinal, revision }: Member) =>
    !wanted.some((other) => other.ordinal === ordinal && other.revision === revision);
  const against = old?.serves ? old : members.find((one) => one.serves && isOld(one));
  if (twin.compared === undefined && against)
    return { comparison: { of: 'twin', candidates: [twin.name], against: against.name } };
  if (twin.compared !== undefined && !FIT.includes(twin.compared)) return { blocker: differs(twin) };
  const instead = old ? `in the place of ${old.name}` : 'from now on';
  const note = `${twin.name} serves ${instead}`;
  const deletionPolicy = wish.spec.deletionPolicy ?? 'Retain';
  // The old one first: two members of one ordinal would be one too many for whoever comes after a crash.
  const leaving = old?.part === 'Member' ? [partPatch(old, 'Leaving', { nowMs, reason: 'Leaving' })] : [];
  return {
    actions: [
      ...leaving,
      partPatch(twin, null, { nowMs, reason: 'TookOver', note, spec: { deletionPolicy } }),
    ],
  };

  function differs({ name, compared = '' }: Member): Blocker {
    const { namespace } = fleet.metadata;
    const message = `${name} answers otherwise than ${old?.name ?? 'the others'}: ${compared}. Fill it anew: kubectl -n ${namespace} delete cn ${name}; or let it serve all the same: kubectl -n ${namespace} annotate --overwrite cn ${name} ${ANNOTATIONS.compared}=NotNeeded`;
    return { reason: 'TwinDiffers', message };
  }
}

/** Notes of a comparison with which a twin may serve. */
const FIT: readonly string[] = ['Same', 'NotNeeded'];

/** It serves until the one that replaces it does. */
function leavingStep({ members, team }: SurgeInput, leaving: Member): Step {
  const { nowMs } = team;
  const others = members.filter((one) => one.ordinal === leaving.ordinal && one !== leaving);
  const successor = others.find(({ part }) => part === 'Member');
  if (successor?.serves) {
    const message = obstacleToRemoval(leaving, { ...team, members });
    if (message !== undefined) return { blocker: { reason: 'Budget', message } };
    const note = `${leaving.name} stands by with its volume`;
    return { actions: [partPatch(leaving, 'Retired', { nowMs, reason: 'Retired', note })] };
  }
  if (successor || others.some(({ part }) => part === 'Twin')) return {};
  const note = `${leaving.name} goes on serving, for nobody has come in its place`;
  return { actions: [partPatch(leaving, null, { nowMs, reason: 'Stays', note })] };
}

/** The old node fills in what it has missed, then takes over as any twin does, without a comparison. */
function retiredStep(input: SurgeInput, retired: Member, wish: WantedNode): Step {
  const { fleet, members } = input;
  const { nowMs } = input.team;
  const others = members.filter((one) => one.ordinal === retired.ordinal && one.part !== 'Retired');
  const isServed = others.some(({ revision }) => revision === retired.revision);
  // A fleet that goes back may do so because of the answers of the node that it goes back from.
  if ((retired.revision === wish.revision && !isServed) || others.length === 0) {
    const note = `${retired.name} is wanted again and catches up`;
    return { actions: [partPatch(retired, 'Twin', { nowMs, reason: 'ComesBack', note })] };
  }
  const leftMs = retired.sinceMs + secondsOf(fleet.spec.update.soak) * 1000 - nowMs;
  if (leftMs > 0) return { againAfterMs: leftMs };
  const note = 'the volume of before the surge is given up';
  return { actions: [removal(retired, 'Delete', 'SoakOver', note)] };
}

interface PartChange {
  readonly nowMs: number;
  readonly reason: string;
  readonly note?: string;
  readonly spec?: object;
}

/** Whose turn it is to serve; only a retired node's pod is away. */
function partPatch(
  { name }: Member,
  part: 'Twin' | 'Leaving' | 'Retired' | null,
  { nowMs, reason, note = `${name} serves until its twin does`, spec }: PartChange,
): FleetAction {
  const annotations = {
    [ANNOTATIONS.part]: part,
    [ANNOTATIONS.partSince]: part === null ? null : timestampOf(nowMs),
    // A twin that is no new one stood by.
    [ANNOTATIONS.compared]: part === 'Twin' ? 'NotNeeded' : null,
  };
  const patch = { metadata: { annotations }, spec: { ...spec, hibernate: part === 'Retired' } };
  return { kind: 'patch', name, patch, reason, note };
}

/** The node goes; `policy` says whether its volume and keys go as well. */
export function removal(
  { name, node }: Member,
  policy: 'Retain' | 'Delete',
  reason: string,
  note: string,
): FleetAction {
  return { kind: 'delete', name, uid: node.metadata.uid, deletionPolicy: policy, reason, note };
}
