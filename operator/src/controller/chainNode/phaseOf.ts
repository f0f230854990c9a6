import type { NodePhase } from '../../api/index.ts';
import type { Judged } from './judgement.ts';

/** One word for people; derived anew each time. */
export function phaseOf(judged: Judged): NodePhase {
  return wantedPhase(judged) ?? seenPhase(judged);
}

/** What somebody, or a migration, has made of the node. */
function wantedPhase({ view, migrating }: Judged): NodePhase | undefined {
  const { spec, metadata } = view.node;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (spec.paused) return 'Paused';
  if (migrating === 'held') return 'Held';
  if (migrating === 'running' && !view.stance.serves) return 'Migrating';
  if (spec.hibernate) return 'Hibernated';
  return spec.fenced ? 'Fenced' : undefined;
}

function seenPhase(judged: Judged): NodePhase {
  const { facts, fault } = judged;
  if (facts.isReady && !facts.isTerminating) return 'Running';
  if (fault || facts.trouble !== undefined) return 'Degraded';
  if (!facts.isRunning || facts.isTerminating) return 'Pending';
  return reportedPhase(judged);
}

function reportedPhase({ view }: Judged): NodePhase {
  const { report } = view.observation ?? {};
  if (!report || report.stage === 'opening') return 'Initializing';
  if (report.stage === 'restoring' || report.catchingUp || report.notReady?.code === 'syncing') {
    return 'Syncing';
  }
  return report.height === 0 || report.notReady === undefined ? 'Initializing' : 'Degraded';
}
