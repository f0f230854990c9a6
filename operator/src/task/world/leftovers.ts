import { type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type KubeObject } from '../../kube/index.ts';
import { isEnded, type MigrationRecord, type ObservedState } from '../../plan/index.ts';
import { isLabelledFor, isOwnedBy } from '../../resources/index.ts';
import { MIGRATION_LABEL } from '../jobs/migrationJob.ts';

const MADE = {
  PersistentVolumeClaim: KINDS.persistentVolumeClaim,
  VolumeSnapshot: KINDS.volumeSnapshot,
} as const;

/** Whether the operator has made it for this node: by owner, or by label where it outlives the node. */
export const isMadeFor = (live: KubeObject, { name, uid }: ChainNode['metadata']): boolean =>
  isOwnedBy(live, uid) || isLabelledFor(live, LABELS.node, name);

/** Looked for only behind the end of a migration, until all is gone. */
export async function leftoversOf(
  { metadata }: ChainNode,
  client: KubeClient,
  record: MigrationRecord | undefined,
): Promise<Pick<ObservedState, 'leftovers'>> {
  if (!record || !isEnded(record) || record.tidied) return {};
  const { namespace } = metadata;
  const jobs = await client.list(KINDS.job, { namespace, labelSelector: `${MIGRATION_LABEL}=${record.id}` });
  const ended = jobs.filter(
    (job) => job.metadata?.deletionTimestamp === undefined && isOwnedBy(job, metadata.uid),
  );
  const left: NonNullable<ObservedState['leftovers']>[number][] = ended.map((job) => ({
    kind: 'Job',
    name: job.metadata?.name ?? '',
  }));
  for (const { kind, name } of record.superseded ?? []) {
    const live = await client.get<KubeObject>(MADE[kind], { namespace, name });
    const isThere = live !== undefined && live.metadata?.deletionTimestamp === undefined;
    if (isThere && isMadeFor(live, metadata)) left.push({ kind, name });
  }
  return { leftovers: left };
}
