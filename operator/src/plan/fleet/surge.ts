import { ANNOTATIONS, type ChainNodeFleet, timestampOf } from '../../api/index.ts';
import { secondsOf } from '../../resources/index.ts';
import type { FleetAction } from './fleetWorld.ts';
import type { Member } from './member.ts';
import { mergePatch, nodeManifest, type WantedNode } from './wantedNode.ts';

interface SurgeInput {
  readonly fleet: ChainNodeFleet;
  readonly wanted: readonly WantedNode[];
  readonly members: readonly Member[];
  readonly nowMs: number;
}

export interface Surge {
  readonly actions: readonly FleetAction[];
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
  const name = `${fleet.metadata.name}-${wanted.ordinal}-${wanted.revision.slice(0, 6)}`;
  const spec = mergePatch(wanted.spec, { stateSync: { onInit: true } }) as WantedNode['spec'];
  const annotations = { [ANNOTATIONS.part]: 'Twin', [ANNOTATIONS.partSince]: timestampOf(nowMs) };
  return {
    kind: 'apply',
    manifest: nodeManifest(fleet, { ...wanted, spec }, { name, annotations }),
    reason: 'Surging',
    note: `${name} is filled by state sync beside ${old.name}, which goes on serving`,
  };
}

/** Twins that are ready take over, old nodes whose time is over go, those that are wanted again come back. */
export function surgeSteps({ fleet, wanted, members, nowMs }: SurgeInput): Surge {
  const soakMs = secondsOf(fleet.spec.update.soak) * 1000;
  const actions: FleetAction[] = [];
  let againAfterMs: number | undefined;
  for (const one of members) {
    const wish = wanted.find(({ ordinal }) => ordinal === one.ordinal);
    if (!wish || one.part === 'Member') continue;
    if (one.part === 'Twin') actions.push(...twinSteps({ fleet, members, nowMs }, one, wish));
    else if (one.revision === wish.revision) actions.push(...comeback(members, one, nowMs));
    else if (one.sinceMs + soakMs <= nowMs)
      actions.push(removal(one, 'Delete', 'SoakOver', `the volume of before the surge is given up`));
    else againAfterMs = Math.min(againAfterMs ?? Number.POSITIVE_INFINITY, one.sinceMs + soakMs - nowMs);
  }
  return { actions, againAfterMs };
}

function twinSteps(
  { members, nowMs }: Pick<SurgeInput, 'fleet' | 'members' | 'nowMs'>,
  twin: Member,
  wish: WantedNode,
): readonly FleetAction[] {
  if (twin.revision !== wish.revision)
    return [removal(twin, 'Delete', 'SurgeSuperseded', 'the template has changed again')];
  if (!twin.isReady || !twin.isSettled) return [];
  const old = members.find((one) => one.ordinal === twin.ordinal && one.part === 'Member');
  const instead = old ? `in the place of ${old.name}` : 'from now on';
  return [
    partPatch(twin, null, { nowMs, reason: 'TookOver', note: `${twin.name} serves ${instead}` }),
    ...(old
      ? [
          partPatch(old, 'Retired', {
            nowMs,
            reason: 'Retired',
            note: `${old.name} stands by with its volume`,
          }),
        ]
      : []),
  ];
}

/** The old node fills in what it has missed, then takes over as any twin does. */
function comeback(members: readonly Member[], retired: Member, nowMs: number): readonly FleetAction[] {
  const isServed = members.some(
    (one) => one.ordinal === retired.ordinal && one.part === 'Member' && one.revision === retired.revision,
  );
  if (isServed) return [];
  return [
    partPatch(retired, 'Twin', {
      ...{ nowMs, reason: 'ComesBack' },
      note: `${retired.name} is wanted again and catches up`,
    }),
  ];
}

/** Whose turn it is to serve; only a retired node's pod is away. */
function partPatch(
  { name }: Member,
  part: 'Twin' | 'Retired' | null,
  { nowMs, reason, note }: { readonly nowMs: number; readonly reason: string; readonly note: string },
): FleetAction {
  const annotations = {
    [ANNOTATIONS.part]: part,
    [ANNOTATIONS.partSince]: part === null ? null : timestampOf(nowMs),
  };
  const patch = { metadata: { annotations }, spec: { hibernate: part === 'Retired' } };
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
