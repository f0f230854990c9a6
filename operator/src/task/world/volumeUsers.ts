import { isCodedError } from '@chain/platform';
import { KINDS, type KubeClient, type Machine, type Pod } from '../../kube/index.ts';
import { MIGRATION_LABEL } from '../jobs/migrationJob.ts';

export interface VolumeUsers {
  /** Names of pods that have the volume, in any phase, of any owner, beside this migration's Jobs. */
  readonly volumeUsers: readonly string[];
  readonly unreachable: boolean;
}

/** Asks the API server, not a cache: what is decided by it deletes data. */
export async function volumeUsers(
  client: KubeClient,
  {
    namespace,
    claim,
    migration,
  }: { readonly namespace: string; readonly claim: string; readonly migration: string },
): Promise<VolumeUsers> {
  const pods = await client.list(KINDS.pod, { namespace });
  const users = pods.filter((pod) => mounts(pod, claim) && !isOver(pod));
  const others = users.filter(({ metadata }) => metadata?.labels?.[MIGRATION_LABEL] !== migration);
  const machines = new Set(
    others.flatMap(({ spec }) => (spec?.nodeName === undefined ? [] : [spec.nodeName])),
  );
  const silent = await Promise.all([...machines].map((name) => isSilent(client, name)));
  return {
    volumeUsers: others.map(({ metadata }) => metadata?.name ?? ''),
    unreachable: silent.some((it) => it),
  };
}

const mounts = ({ spec }: Pod, claim: string): boolean =>
  spec?.volumes?.some(({ persistentVolumeClaim: volume }) => volume?.claimName === claim) ?? false;

/** Of a pod that is over the kubelet has said that its containers have ended. */
const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** In a namespace of its own the operator may not look at machines: a pod that stays is then said to be in use. */
async function isSilent(client: KubeClient, name: string): Promise<boolean> {
  let machine: Machine | undefined;
  try {
    machine = await client.get(KINDS.machine, { name });
  } catch (error) {
    if (isCodedError(error) && error.code === 'KUBE_FORBIDDEN') return false;
    throw error;
  }
  const ready = machine?.status?.conditions?.find(({ type }) => type === 'Ready');
  return machine === undefined || ready?.status === 'Unknown';
}
