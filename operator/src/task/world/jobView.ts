import { oneLine } from '@chain/platform';
import type { ChainNode } from '../../api/index.ts';
import { isFailedWait, KINDS, type KubeClient, type Pod } from '../../kube/index.ts';
import type { JobResult, JobView } from '../../plan/index.ts';
import { isOwnedBy } from '../../resources/index.ts';
import { parseJobResult } from './jobResult.ts';

/** Of the end of a log. */
const LONG = 600;

/** Of the node's Job of a name, live; `undefined` when it is not there. */
export async function jobView(
  client: KubeClient,
  node: ChainNode,
  name: string,
): Promise<JobView | undefined> {
  const { namespace, uid } = node.metadata;
  const job = await client.get(KINDS.job, { namespace, name });
  if (!job || !isOwnedBy(job, uid)) return undefined;
  const pods = await client.list(KINDS.pod, { namespace, labelSelector: `job-name=${name}` });
  const has = (type: string): boolean =>
    job.status?.conditions?.some((it) => it.type === type && it.status === 'True') ?? false;
  const result = resultOf(pods);
  if (has('Complete')) return { state: 'succeeded', result };
  const isWorking = pods.some(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  if (!has('Failed') || isWorking) {
    const delay = pods.map(delayOf).find((it) => it !== undefined);
    return { state: 'running', result, ...(delay !== undefined && { delay }) };
  }
  const reason = job.status?.conditions?.find(({ type }) => type === 'Failed');
  const error = result.error ?? oneLine(`${reason?.reason ?? 'Failed'}: ${reason?.message ?? ''}`);
  return { state: 'failed', result: { ...result, error } };
}

/** Why a pod does not begin. */
function delayOf({ status }: Pod): string | undefined {
  if (status?.phase !== 'Pending') return undefined;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False')
    return `not scheduled: ${oneLine(scheduled.message ?? scheduled.reason ?? '')}`;
  const waiting = status.containerStatuses?.[0]?.state?.waiting;
  return waiting && isFailedWait(waiting.reason)
    ? oneLine(`${waiting.reason}: ${waiting.message ?? ''}`)
    : undefined;
}

/** The termination message of the newest pod: JSON of `--result-file`, or the end of the log. */
function resultOf(pods: readonly Pod[]): JobResult {
  const newest = pods.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  const ended = newest?.status?.containerStatuses?.[0]?.state?.terminated;
  const text = ended?.message?.trim() ?? '';
  const result = parseJobResult(text);
  if (result !== undefined || !ended || ended.exitCode === 0) return result ?? {};
  return { error: oneLine(text.slice(-LONG) || (ended.reason ?? `exit code ${ended.exitCode}`), LONG) };
}

const timeOf = ({ metadata }: Pod): number => Date.parse(String(metadata?.creationTimestamp ?? 0));
