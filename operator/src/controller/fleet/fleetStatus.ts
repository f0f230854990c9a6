import {
  type ChainNodeFleet,
  type ChainNodeFleetStatus,
  type FLEET_CONDITIONS,
  LABELS,
  timestampOf,
  type Verdict,
  withConditions,
} from '../../api/index.ts';
import { type FleetPlan, floorOf, isCurrent, type Member, type Rollout } from '../../plan/index.ts';

export interface SeenFleet {
  readonly fleet: ChainNodeFleet;
  readonly plan: FleetPlan;
  readonly rollout: Rollout;
  readonly fault: { readonly reason: 'NodeRefused' | 'NameTaken'; readonly message: string } | undefined;
  readonly nowMs: number;
}

/** The whole status, as it is written when it differs. */
export function fleetStatus(seen: SeenFleet): ChainNodeFleetStatus {
  const { fleet, plan, rollout, nowMs } = seen;
  const { members } = plan;
  const heights = members.filter(isCurrent).flatMap(({ node }) => node.status?.chain?.height ?? []);
  const replicas = new Set(members.filter(isCurrent).map(({ ordinal }) => ordinal)).size;
  const known = fleet.status?.conditions ?? [];
  const about = { generation: fleet.metadata.generation, nowMs };
  return {
    observedGeneration: fleet.metadata.generation,
    replicas,
    readyReplicas: count(members, ({ serves }) => serves),
    syncedReplicas: count(members, (one) => isCurrent(one) && one.isSynced),
    updatedReplicas: replicas - (rollout.waiting?.length ?? 0),
    splitReplicas: count(members, (one) => isCurrent(one) && one.isSplit),
    selector: `${LABELS.fleet}=${fleet.metadata.name}`,
    ...(heights.length > 0 && { heights: { min: Math.min(...heights), max: Math.max(...heights) } }),
    rollout,
    nodes: members.map(({ name, ordinal, part, revision, sinceMs, serves, node }) => ({
      name,
      ordinal,
      part,
      revision,
      ready: serves,
      since: timestampOf(sinceMs),
      phase: node.status?.phase ?? 'Pending',
      ...(node.status?.chain?.height !== undefined && { height: node.status.chain.height }),
    })),
    conditions: withConditions<typeof FLEET_CONDITIONS>(known, verdictsOf(seen), about),
  } as ChainNodeFleetStatus;
}

/** But for what changes with every block. */
export function withoutHeights(status: ChainNodeFleetStatus | undefined): object {
  const { heights: _, nodes = [], ...rest } = status ?? ({} as Partial<ChainNodeFleetStatus>);
  return { ...rest, nodes: nodes.map(({ height: _height, ...node }) => node) };
}

const count = (members: readonly Member[], is: (member: Member) => boolean): number =>
  members.filter(is).length;

type FleetVerdict = Verdict<typeof FLEET_CONDITIONS>;

function verdictsOf(seen: SeenFleet): readonly FleetVerdict[] {
  const { fleet, plan, fault } = seen;
  const { members } = plan;
  const { spec } = fleet;
  const current = members.filter(({ part }) => part !== 'Retired');
  const ready = count(current, ({ serves }) => serves);
  const serving = `${ready} of ${spec.replicas} nodes serve`;
  const isAvailable = ready >= floorOf(spec);
  const changing = plan.rollout.active ?? [];
  const ill = current.filter((one) => !one.isReady && !(changing.includes(one.name) && isOnItsWay(one)));
  const held = members.filter(({ isHeld }) => isHeld);
  const { blocker } = plan;
  return [
    readyVerdict(seen, { ready, serving }),
    reconcilingVerdict(seen),
    fault
      ? { type: 'Stalled', status: 'True', ...fault }
      : plan.rollout.phase === 'Paused' && !spec.paused
        ? { type: 'Stalled', status: 'True', reason: 'RolloutPaused', message: plan.rollout.blockedBy ?? '' }
        : { type: 'Stalled', status: 'False', reason: 'Healthy', message: '' },
    isAvailable
      ? { type: 'Available', status: 'True', reason: 'EnoughServing', message: serving }
      : {
          type: 'Available',
          status: 'False',
          reason: 'TooFewServing',
          message: `${serving}, ${floorOf(spec)} must`,
        },
    progressVerdict(seen),
    degradedVerdict([
      ['NodesHeld', held],
      ['NodesStalled', members.filter((one) => toldOf(one, 'Stalled')?.status === 'True')],
      ['NodesUnhealthy', ill],
    ]),
    blocker
      ? { type: 'RolloutBlocked', status: 'True', reason: blocker.reason, message: blocker.message }
      : { type: 'RolloutBlocked', status: 'False', reason: 'NotBlocked', message: '' },
  ];
}

/** Of a node that is made or changed: all else is trouble, whoever began it. */
const ON_THE_WAY = ['Pending', 'Starting', 'Syncing', 'Draining', 'Migrating'];
const isOnItsWay = (member: Member): boolean =>
  ON_THE_WAY.includes(toldOf(member, 'Ready')?.reason ?? 'Pending');

/** Nodes that are named with what they say, and how much of it; the others are counted. */
const MAX_NAMED = 5;
const MAX_SAID = 200;

function degradedVerdict(
  kinds: readonly (readonly ['NodesHeld' | 'NodesStalled' | 'NodesUnhealthy', readonly Member[]])[],
): FleetVerdict {
  const worst = kinds.find(([, members]) => members.length > 0);
  if (!worst) return { type: 'Degraded', status: 'False', reason: 'AllHealthy', message: '' };
  const all = [...new Set(kinds.flatMap(([, members]) => members))];
  const more = all.length > MAX_NAMED ? `; and ${all.length - MAX_NAMED} more` : '';
  const message = `${all.slice(0, MAX_NAMED).map(tellOf).join('; ')}${more}`;
  return { type: 'Degraded', status: 'True', reason: worst[0], message };
}

/** `rpc-1: PodFails: …`: what the node itself says of its trouble. */
function tellOf(member: Member): string {
  const stalled = toldOf(member, 'Stalled');
  const { reason = member.node.status?.phase ?? 'Pending', message = '' } =
    (stalled?.status === 'True' ? stalled : toldOf(member, 'Ready')) ?? {};
  return `${member.name}: ${reason}${message === '' ? '' : `: ${message}`}`.slice(0, MAX_SAID);
}

const toldOf = ({ node }: Member, type: 'Stalled' | 'Ready') =>
  node.status?.conditions?.find((condition) => condition.type === type);

function readyVerdict(
  { fleet, plan }: SeenFleet,
  { ready, serving }: { readonly ready: number; readonly serving: string },
): FleetVerdict {
  if (fleet.spec.paused) return { type: 'Ready', status: 'False', reason: 'Paused', message: serving };
  const isDone = (plan.rollout.waiting?.length ?? 0) + (plan.rollout.active?.length ?? 0) === 0;
  if (!isDone) return { type: 'Ready', status: 'False', reason: 'Progressing', message: serving };
  if (ready < fleet.spec.replicas)
    return { type: 'Ready', status: 'False', reason: 'Degraded', message: serving };
  return { type: 'Ready', status: 'True', reason: 'AllServing', message: serving };
}

function reconcilingVerdict({ fleet, plan }: SeenFleet): FleetVerdict {
  const { waiting = [], active = [] } = plan.rollout;
  if (fleet.spec.paused) return { type: 'Reconciling', status: 'False', reason: 'Paused', message: '' };
  const isScaling = plan.actions.some(({ reason }) => reason === 'NodeAdded' || reason === 'NodeRemoved');
  if (isScaling) return { type: 'Reconciling', status: 'True', reason: 'Scaling', message: '' };
  if (waiting.length + active.length > 0)
    return {
      type: 'Reconciling',
      status: 'True',
      reason: 'RollingOut',
      message: [...active, ...waiting].join(', '),
    };
  return { type: 'Reconciling', status: 'False', reason: 'UpToDate', message: '' };
}

function progressVerdict({ plan, rollout }: SeenFleet): FleetVerdict {
  const { waiting = [], active = [] } = rollout;
  const message = rollout.blockedBy ?? active.join(', ');
  if (rollout.phase === 'Paused') return { type: 'Progressing', status: 'False', reason: 'Paused', message };
  if (waiting.length + active.length === 0)
    return { type: 'Progressing', status: 'False', reason: 'Idle', message: '' };
  if (plan.blocker && active.length === 0)
    return { type: 'Progressing', status: 'True', reason: 'Waiting', message };
  return { type: 'Progressing', status: 'True', reason: 'RollingOut', message };
}
