import { isEnded, type MigrationRecord } from '../../../operator/src/plan/index.ts';
import type { SimulatedCluster } from './cluster.ts';
import { isDeletable } from './operator.ts';
import { isHeld } from './volume.ts';

/** What must be so at every moment; gives what is not. */
export function brokenInvariant(cluster: SimulatedCluster): string | undefined {
  const { record, pod, jobs, created } = cluster;
  for (const [claim, volume] of cluster.volumes) {
    if (!volume.keysInHome && volume.backup === undefined) return `${claim} has neither keys nor a backup`;
    const wiped = volume.data !== 'one' && volume.data !== 'split';
    if (wiped && !record?.pastPointOfNoReturn) return `${claim} was wiped before the point of no return`;
    if (pod?.claim === claim && pod.open && isHeld(volume))
      return `a node works on ${claim} while a migration does`;
  }
  const working = [...jobs.entries()].filter(([, { state }]) => state === 'running');
  if (working.length > 1) return `two Jobs at once: ${working.map(([name]) => name).join(', ')}`;
  if (new Set(created).size < created.length) return 'a Job of one name was made twice';
  return undefined;
}

/** Whether it has come to one of its ends, and that end is true; gives what is not. */
export function untrueEnd(cluster: SimulatedCluster): string | undefined {
  const { record, pod, actual, deleting } = cluster;
  if (deleting) return isDeletable(cluster) ? undefined : 'it cannot be deleted';
  if (!record) return 'no migration has begun';
  const volume = cluster.volumes.get(record.claim ?? 'data')!;
  const serves = pod?.open === true && cluster.wish.serves && cluster.wish.runs;
  if (record.phase === 'Held') return untrueHold(record);
  if (!isEnded(record)) return `it stands in ${record.phase}`;
  if (record.timeline.some(({ finishedAt }) => finishedAt === undefined))
    return `${record.phase}, and time goes on`;
  const wanted = actual.evmSplit ? 'split' : 'one';
  if (volume.data !== wanted) return `${record.phase}, but the data are ${volume.data}`;
  if (!volume.keysInHome) return `${record.phase} without keys`;
  if (record.phase === 'Succeeded' && actual !== record.target)
    return 'Succeeded, but not in the layout asked for';
  return serves ? undefined : `${record.phase}, but the node does not serve`;
}

function untrueHold({ reason, commands = [] }: MigrationRecord): string | undefined {
  if (commands.length === 0) return 'Held, and nobody is told what to do';
  return reason === 'Progressing' ? 'Held without a reason' : undefined;
}
