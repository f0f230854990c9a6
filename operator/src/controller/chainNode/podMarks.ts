import { LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Pod } from '../../kube/index.ts';
import type { DesiredWorkload } from '../../resources/index.ts';

/** Autoscalers and defragmenters that know these leave the pod alone. */
const DO_NOT_DISTURB = {
  'karpenter.sh/do-not-disrupt': 'true',
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
} as const;

/**
 * Puts on the live pod what its template leaves open: whether Services send clients to it, and whether it may be
 * disturbed. The template itself stays, for a change of it would restart the node.
 */
export async function markPod(
  client: KubeClient,
  pod: Pod,
  { serves, isProtected }: Pick<DesiredWorkload, 'serves' | 'isProtected'>,
): Promise<void> {
  const { labels = {}, annotations = {}, name = '', namespace } = pod.metadata ?? {};
  const wantedLabel = String(serves);
  const isLabelled = labels[LABELS.serving] === wantedLabel;
  const marks = Object.entries(DO_NOT_DISTURB).filter(([key, value]) =>
    isProtected ? annotations[key] !== value : annotations[key] === value,
  );
  if (isLabelled && marks.length === 0) return;
  await client.patchMetadata(
    KINDS.pod,
    { namespace, name },
    {
      ...(!isLabelled && { labels: { [LABELS.serving]: wantedLabel } }),
      ...(marks.length > 0 && {
        annotations: Object.fromEntries(marks.map(([key, value]) => [key, isProtected ? value : null])),
      }),
    },
  );
}
