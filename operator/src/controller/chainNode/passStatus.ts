import { type ChainNodeStatus, withConditions } from '../../api/index.ts';
import type { MigrationPass, NodeView } from '../../task/index.ts';
import type { HeightPace } from '../heightPace.ts';
import type { Fault } from './faults.ts';
import type { Groundwork } from './groundwork.ts';
import { type ConditionInputs, isAskedToRest, judge } from './judgement.ts';
import { chainStatus, endpointsOf, storageStatus, storeStatus } from './nodeStatus.ts';
import { phaseOf } from './phaseOf.ts';
import { isRolledOut, podFacts } from './podFacts.ts';
import { FREE } from './restart.ts';
import { storageVerdict } from './storageVerdict.ts';
import { tellsNow } from './telling.ts';
import type { VolumePass } from './volume.ts';
import type { WorkloadPass } from './workload.ts';

/** What a pass has found and done before it judges. */
export interface Done {
  readonly view: NodeView;
  readonly volume: VolumePass;
  readonly workload?: WorkloadPass;
  readonly nodeId?: string;
  readonly signer?: Groundwork['signer'];
  readonly fault?: Fault;
}

/** What a status hangs on beside the node itself. */
interface Around {
  readonly pace: HeightPace;
  /** A migration of the node is. */
  readonly isUnderWay: boolean;
  readonly isMoving: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The whole status behind a pass, as far as it is told now. */
export function statusOf(
  done: Done,
  pass: MigrationPass | undefined,
  around: Around,
): Partial<ChainNodeStatus> {
  const { view, volume, workload, nodeId, signer } = done;
  const inputs = inputsOf(done, around);
  const { node, observation, desired } = view;
  const { status: before, metadata } = node;
  const { report } = observation ?? {};
  // That a restart has begun is not taken back by a migration that waits beside it.
  const ofPass = (pass?.verdicts ?? []).filter(
    ({ type }) => type !== 'DisruptionPending' || inputs.restart.state !== 'begins',
  );
  const verdicts = [...judge(inputs), storageVerdict(node, volume), ...ofPass];
  const conditions = withConditions(before?.conditions ?? [], verdicts, {
    generation: metadata.generation,
    nowMs: inputs.nowMs,
    without: isAskedToRest(inputs) ? ['Ready'] : [],
  });
  const phase = phaseOf(inputs);
  const chain = chainStatus(before, observation ?? {});
  const tells = tellsNow(around.pace, view, {
    phase,
    conditions,
    chain,
    nowMs: inputs.nowMs,
    isMoving: around.isMoving,
  });
  const id = report?.nodeId ?? before?.nodeId ?? nodeId;
  return present({
    observedGeneration: metadata.generation,
    phase,
    conditions: tells ? conditions : before?.conditions,
    image: inputs.facts.isRunning ? inputs.facts.image : undefined,
    nodeVersion: report?.release,
    nodeId: id,
    configHash: workload && !workload.restartPending ? workload.configHash : undefined,
    chain: tells ? chain : before?.chain,
    stateStore: storeStatus(before, report, inputs.migrating !== 'no'),
    storage: volume.claim && storageStatus(node, desired, volume),
    ...(signer && { signer: signer as ChainNodeStatus['signer'] }),
    endpoints: endpointsOf(node, id),
    ...pass?.status,
  });
}

function inputsOf({ view, workload, fault }: Done, { isUnderWay, nowMs }: Around): ConditionInputs {
  const { node } = view;
  const isHeld = node.status?.migration?.phase === 'Held';
  return {
    view,
    facts: podFacts(view.pod),
    nowMs,
    isRolledOut: isRolledOut(view.statefulSet, view.pod),
    restartPending: workload?.restartPending ?? false,
    restart: workload?.restart ?? FREE,
    migrating: isHeld ? 'held' : isUnderWay ? 'running' : 'no',
    ...(fault && { fault }),
  };
}

/** Absent members, not undefined ones: a patch would send null for them. */
function present(status: { readonly [K in keyof ChainNodeStatus]?: ChainNodeStatus[K] | undefined }) {
  return Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined),
  ) as Partial<ChainNodeStatus>;
}
