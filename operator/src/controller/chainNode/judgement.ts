import type { NODE_CONDITIONS, Verdict } from '../../api/index.ts';
import { partOf } from '../../plan/index.ts';
import type { NodeView } from '../../task/index.ts';
import type { Fault } from './faults.ts';
import type { PodFacts } from './podFacts.ts';
import type { Restart } from './restart.ts';

type Conditions = typeof NODE_CONDITIONS;
export type NodeVerdict = Verdict<Conditions>;

/** Everything that conditions are inputs by. */
export interface ConditionInputs {
  readonly view: NodeView;
  readonly facts: PodFacts;
  readonly isRolledOut: boolean;
  /** The pod waits for its next restart to take the newest configuration. */
  readonly restartPending: boolean;
  /** What becomes of a template that the pod does not have. */
  readonly restart: Restart;
  readonly fault?: Fault;
  /** Of the migration that is under way. */
  readonly migrating: 'no' | 'running' | 'held';
  readonly nowMs: number;
}

export const verdict = <Type extends keyof Conditions & string>(
  type: Type,
  status: 'True' | 'False' | 'Unknown',
  reason: keyof Conditions[Type]['reasons'] & string,
  message = '',
): NodeVerdict => ({ type, status, reason, message }) as NodeVerdict;

const verdictIf = <Type extends keyof Conditions & string>(
  holds: boolean,
  type: Type,
  reasons: readonly [
    yes: keyof Conditions[Type]['reasons'] & string,
    no: keyof Conditions[Type]['reasons'] & string,
  ],
  message = '',
): NodeVerdict => verdict(type, holds ? 'True' : 'False', holds ? reasons[0] : reasons[1], message);

/** Whether it answers, and how old that answer may be. */
const STALE_ANSWER_MS = 60_000;

export function judge(inputs: ConditionInputs): NodeVerdict[] {
  const { spec } = inputs.view.node;
  const verdicts = [
    ...(isAskedToRest(inputs) ? [] : [ready(inputs)]),
    reconciling(inputs),
    stalled(inputs),
    synced(inputs),
    proxyReady(inputs),
    configApplied(inputs),
    peersReady(inputs),
    disruptionPending(inputs),
    verdictIf(spec.paused, 'Paused', ['Requested', 'NotPaused']),
    verdictIf(spec.stateStore.backend === 'rocksdb', 'BackendDeprecated', ['RocksDb', 'Supported']),
  ];
  return isSeen(inputs) ? verdicts : verdicts.filter((one) => !isHearsay(inputs, one));
}

/** Whether nobody wants it to serve, so that nothing is to be said of that: neither that it does, nor that it will. */
export function isAskedToRest({ view: { node }, facts, migrating }: ConditionInputs): boolean {
  const { paused, hibernate, fenced } = node.spec;
  if (migrating !== 'no') return false;
  return hibernate || fenced || (paused && !facts.isReady);
}

/** Whether the node was asked since this operator leads, or its pod has its address. */
export const isSeen = ({ view, facts }: ConditionInputs): boolean =>
  view.observation !== undefined || !facts.isRunning || view.node.spec.fenced;

/** What only a look at the node can tell. What was said of it before stays until then. */
function isHearsay({ view }: ConditionInputs, { type, reason }: NodeVerdict): boolean {
  const isTold = view.node.status?.conditions?.some((one) => one.type === type) ?? false;
  return (
    isTold && (type === 'Synced' || type === 'PeersReady' || (type === 'Ready' && reason === 'Starting'))
  );
}

function stalled({ view, facts, fault, migrating }: ConditionInputs): NodeVerdict {
  if (fault) return verdict('Stalled', 'True', fault.reason, fault.message);
  const { spec, status } = view.node;
  if (migrating === 'held')
    return verdict('Stalled', 'True', 'MigrationHeld', status?.migration?.message ?? '');
  // A migration judges by itself what its node's end means.
  const isWanted = migrating === 'no' && !spec.paused && !spec.hibernate && !spec.fenced;
  if (isWanted && !facts.isReady && !facts.isTerminating && facts.isFailing)
    return verdict('Stalled', 'True', 'PodFails', facts.trouble ?? '');
  return verdict('Stalled', 'False', 'Healthy');
}

const notReady = (reason: keyof Conditions['Ready']['reasons'], message = ''): NodeVerdict =>
  verdict('Ready', 'False', reason, message);

function ready(inputs: ConditionInputs): NodeVerdict {
  const { view, facts } = inputs;
  const asked = takenAway(inputs);
  if (asked) return asked;
  if (!facts.isThere) return notReady('Pending');
  if (facts.isTerminating) return notReady('Draining');
  if (facts.trouble !== undefined)
    return notReady(facts.isCrashing ? 'CrashLooping' : 'Pending', facts.trouble);
  if (!facts.isRunning) return notReady('Pending', 'its containers are not started yet');
  if (facts.isReady && view.desired.serves) {
    return partOf(view.node) === 'Twin'
      ? verdict('Ready', 'True', 'StandingBy', 'its fleet sends clients when its answers have been compared')
      : verdict('Ready', 'True', 'Serving');
  }
  return notServing(inputs);
}

/** Where a migration, or a fault, does not let it serve. */
function takenAway({ view, facts, fault, migrating }: ConditionInputs): NodeVerdict | undefined {
  const { status } = view.node;
  if (migrating !== 'no' && !view.desired.serves) {
    return notReady(migrating === 'held' ? 'Held' : 'Migrating', status?.migration?.message);
  }
  return fault && !facts.isReady ? notReady('Refused', fault.message) : undefined;
}

function notServing({ view, facts }: ConditionInputs): NodeVerdict {
  const { report, problem } = view.observation ?? {};
  if (!view.desired.serves) return notReady('Draining', 'clients are sent elsewhere');
  if (problem !== undefined && report) return notReady('Unreachable', problem);
  if (!report || report.stage === 'opening')
    return notReady('Starting', report?.notReady?.message ?? problem);
  if (report.stage === 'restoring' || report.catchingUp)
    return notReady('Syncing', report.notReady?.message ?? 'catching up');
  if (report.notReady?.code === 'syncing') return notReady('Syncing', report.notReady.message);
  if (report.notReady?.code === 'stalled') return notReady('Stale', report.notReady.message);
  return notReady(
    'Starting',
    report.notReady?.message ?? (facts.isLimiterReady ? 'not ready' : 'the limiter is not ready'),
  );
}

function reconciling(inputs: ConditionInputs): NodeVerdict {
  const { view, facts, isRolledOut, fault, migrating, restartPending, restart } = inputs;
  const { spec } = view.node;
  if (spec.paused) return verdict('Reconciling', 'False', 'Paused');
  if (fault) return verdict('Reconciling', 'False', 'Stalled', fault.message);
  if (migrating === 'running')
    return verdict('Reconciling', 'True', 'Migrating', view.node.status?.migration?.message);
  if (migrating === 'held') return verdict('Reconciling', 'False', 'Stalled', 'a migration is held');
  if (restart.state === 'waits' || restart.state === 'begins')
    return verdict('Reconciling', 'True', 'Progressing', 'the pod is to be replaced');
  const wantsPod = view.desired.runs && !spec.hibernate;
  const inEffect = wantsPod
    ? facts.isThere && !facts.isTerminating && (isRolledOut || restartPending)
    : !facts.isThere;
  if (!inEffect)
    return verdict('Reconciling', 'True', 'Progressing', 'the pod is not what the spec asks for yet');
  if (wantsPod && !spec.fenced && !facts.isReady) {
    return verdict('Reconciling', 'True', 'Progressing', facts.trouble ?? 'the node is not ready yet');
  }
  return verdict('Reconciling', 'False', 'UpToDate');
}

function disruptionPending({ restart }: ConditionInputs): NodeVerdict {
  const type = 'DisruptionPending';
  if (restart.state === 'waits') return verdict(type, 'True', 'Restart', restart.message);
  if (restart.state === 'begins') return verdict(type, 'False', 'Begun');
  return restart.state === 'nextRestart'
    ? verdict(type, 'False', 'NextRestart', 'delete the pod to let it take what the operator renders now')
    : verdict(type, 'False', 'None');
}

function synced({ view, facts, nowMs }: ConditionInputs): NodeVerdict {
  const no = (reason: keyof Conditions['Synced']['reasons'], message = '') =>
    verdict('Synced', 'False', reason, message);
  if (!facts.isRunning || view.node.spec.fenced) return no('NotRunning');
  const { report, problem, at } = view.observation ?? {};
  if (!report || problem !== undefined || nowMs - (at ?? 0) > STALE_ANSWER_MS)
    return no('Unreachable', problem);
  if (report.stage !== 'running' || report.height === 0) return no('NoBlock', report.notReady?.message);
  if (report.catchingUp) return no('CatchingUp', `at height ${report.height}`);
  if (report.notReady !== undefined) return no('Stale', report.notReady.message);
  return verdict('Synced', 'True', 'AtHead');
}

function proxyReady({ view, facts }: ConditionInputs): NodeVerdict {
  const { spec } = view.node;
  if (!spec.proxy.enabled) return verdict('ProxyReady', 'False', 'Disabled');
  if (!facts.isRunning || spec.fenced) return verdict('ProxyReady', 'False', 'NotRunning');
  return verdictIf(facts.isLimiterReady, 'ProxyReady', ['Ready', 'NotReady']);
}

function configApplied({ facts, fault, isRolledOut, restartPending }: ConditionInputs): NodeVerdict {
  const no = (reason: keyof Conditions['ConfigApplied']['reasons'], message = '') =>
    verdict('ConfigApplied', 'False', reason, message);
  if (fault?.reason === 'ReservedName') return no('ReservedKey', fault.message);
  if (fault?.reason === 'InvalidSpec') return no('Invalid', fault.message);
  if (!facts.isRunning) return no('NotRunning', facts.trouble);
  if (restartPending) return no('RestartPending', 'delete the pod to let it take effect');
  return isRolledOut && !facts.isTerminating ? verdict('ConfigApplied', 'True', 'Applied') : no('Rolling');
}

function peersReady({ view, facts }: ConditionInputs): NodeVerdict {
  const no = (reason: keyof Conditions['PeersReady']['reasons'], message = '') =>
    verdict('PeersReady', 'False', reason, message);
  const { report } = view.observation ?? {};
  if (!facts.isRunning || !report || view.node.spec.fenced) return no('NotRunning');
  if (report.engine === 'embedded') return no('NoneConfigured', 'a chain of its own has no peers');
  if (report.peers !== undefined && report.peers > 0) {
    return verdict('PeersReady', 'True', 'Connected', `${report.peers} peers`);
  }
  const { peers } = view.node.spec;
  const named = peers.static.length + peers.seeds.length + view.selectedPeers.length;
  return named === 0 ? no('NoneConfigured') : no('TooFew', `none of ${named} is connected`);
}
