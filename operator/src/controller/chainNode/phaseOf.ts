import type { NodePhase } from '../../api/index.ts';
import { type ConditionInputs, isSeen } from './judgement.ts';

/** One word for people; derived anew each time. */
export function phaseOf(inputs: ConditionInputs): NodePhase {
  return wantedPhase(inputs) ?? seenPhase(inputs);
}

/** What somebody, or a migration, has made of the node. */
function wantedPhase({ view, migrating }: ConditionInputs): NodePhase | undefined {
  const { spec, metadata } = view.node;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (spec.paused) return 'Paused';
  if (migrating === 'held') return 'Held';
  if (migrating === 'running' && !view.desired.serves) return 'Migrating';
  if (spec.hibernate) return 'Hibernated';
  return spec.fenced ? 'Fenced' : undefined;
}

function seenPhase(inputs: ConditionInputs): NodePhase {
  const { facts, fault } = inputs;
  if (facts.isReady && !facts.isTerminating) return 'Running';
  if (fault || facts.trouble !== undefined) return 'Degraded';
  if (!facts.isRunning || facts.isTerminating) return 'Pending';
  const before = inputs.view.node.status?.phase;
  // A new leader says nothing before it has looked.
  if (!isSeen(inputs) && before !== undefined && REPORTED.includes(before)) return before;
  return reportedPhase(inputs);
}

const REPORTED: readonly NodePhase[] = ['Initializing', 'Syncing', 'Degraded'];

function reportedPhase({ view }: ConditionInputs): NodePhase {
  const { report } = view.observation ?? {};
  if (!report || report.stage === 'opening') return 'Initializing';
  if (report.stage === 'restoring' || report.catchingUp || report.notReady?.code === 'syncing') {
    return 'Syncing';
  }
  return report.height === 0 || report.notReady === undefined ? 'Initializing' : 'Degraded';
}
