import { KINDS, type KubeClient, type Pod } from '../../kube/index.ts';
import type { JobResult, JobView } from '../../plan/index.ts';

/** Of a Job by its name, live; `undefined` when it is not there. */
export async function jobView(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<JobView | undefined> {
  const job = await client.get(KINDS.job, { namespace, name });
  if (!job) return undefined;
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
  const error = result.error ?? `${reason?.reason ?? 'Failed'}: ${reason?.message ?? ''}`;
  return { state: 'failed', result: { ...result, error } };
}

/** Why a pod does not begin. */
function delayOf({ status }: Pod): string | undefined {
  if (status?.phase !== 'Pending') return undefined;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `not scheduled: ${scheduled.message ?? scheduled.reason ?? ''}`;
  const waiting = status.containerStatuses?.[0]?.state?.waiting;
  return waiting?.reason !== undefined && /Err|Invalid|BackOff/.test(waiting.reason)
    ? `${waiting.reason}: ${waiting.message ?? ''}`
    : undefined;
}

/** The termination message of the newest pod: JSON of `--result-file`, or the end of the log. */
function resultOf(pods: readonly Pod[]): JobResult {
  const newest = pods.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  const ended = newest?.status?.containerStatuses?.[0]?.state?.terminated;
  const text = ended?.message?.trim() ?? '';
  try {
    return JSON.parse(text) as JobResult;
  } catch {
    return ended && ended.exitCode !== 0
      ? { error: text || (ended.reason ?? `exit code ${ended.exitCode}`) }
      : {};
  }
}

const timeOf = ({ metadata }: Pod): number => Date.parse(String(metadata?.creationTimestamp ?? 0));
