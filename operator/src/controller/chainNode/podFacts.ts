import { hostAndPort, oneLine } from '@chain/platform';
import { isFailedWait, type Pod, type StatefulSet } from '../../kube/index.ts';
import { POD_NAMES } from '../../resources/index.ts';

/** What a pod tells without being asked. */
export interface PodFacts {
  readonly isThere: boolean;
  /** Its node container runs. */
  readonly isRunning: boolean;
  readonly isReady: boolean;
  readonly isLimiterReady: boolean;
  readonly isTerminating: boolean;
  /** Of its node container, as the pod has it. */
  readonly image?: string;
  readonly restarts: number;
  /** Why a container ends again and again, or does not begin. */
  readonly trouble?: string;
  /** The former. */
  readonly isCrashing: boolean;
  /** Either of a container's; a pod that waits for a machine may yet get one. */
  readonly isFailing: boolean;
}

const CRASHES = 2;

export function podFacts(pod: Pod | undefined): PodFacts {
  if (!pod) {
    return {
      isThere: false,
      isRunning: false,
      isReady: false,
      isLimiterReady: false,
      isTerminating: false,
      restarts: 0,
      isCrashing: false,
      isFailing: false,
    };
  }
  const inits = pod.status?.initContainerStatuses ?? [];
  const containers = pod.status?.containerStatuses ?? [];
  const node = containers.find(({ name }) => name === POD_NAMES.node);
  const limiter = inits.find(({ name }) => name === POD_NAMES.limiter);
  const failure = [...inits, ...containers].map(failureOf).find((it) => it !== undefined);
  const trouble = failure?.message ?? unscheduled(pod);
  return {
    isThere: true,
    isRunning: node?.state?.running !== undefined,
    isReady:
      pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    isLimiterReady: limiter?.ready ?? false,
    isTerminating: pod.metadata?.deletionTimestamp !== undefined,
    restarts: node?.restartCount ?? 0,
    ...imageOf(pod),
    ...(trouble !== undefined && { trouble }),
    isCrashing: failure?.isCrash ?? false,
    isFailing: failure !== undefined,
  };
}

function imageOf({ spec }: Pod): { readonly image?: string } {
  const image = spec?.containers?.find(({ name }) => name === POD_NAMES.node)?.image;
  return image === undefined ? {} : { image };
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

interface ContainerFailure {
  readonly message: string;
  /** It ends again and again. */
  readonly isCrash: boolean;
}

function failureOf({ name, state, lastState, restartCount }: ContainerStatus): ContainerFailure | undefined {
  const waiting = state?.waiting;
  const ended = lastState?.terminated ?? state?.terminated;
  const said = oneLine(ended?.message?.trim().split('\n').at(-1) ?? '');
  if (waiting?.reason === 'CrashLoopBackOff' || (waiting && restartCount >= CRASHES)) {
    const end = said === '' ? ` (exit code ${ended?.exitCode})` : `: ${said}`;
    return { message: `container ${name} ends again and again${end}`, isCrash: true };
  }
  if (waiting && isFailedWait(waiting.reason)) {
    const why = waiting.message ? `: ${oneLine(waiting.message)}` : '';
    return { message: `container ${name}: ${waiting.reason}${why}`, isCrash: false };
  }
  return undefined;
}

function unscheduled(pod: Pod): string | undefined {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.status === 'False'
    ? `not scheduled: ${oneLine(scheduled.message ?? scheduled.reason ?? '')}`
    : undefined;
}

/** Whether the StatefulSet's newest template is what its pod has. */
export function isRolledOut(set: StatefulSet | undefined, pod: Pod | undefined): boolean {
  const { observedGeneration, updateRevision } = set?.status ?? {};
  if (set?.metadata?.generation !== observedGeneration) return false;
  return !pod || pod.metadata?.labels?.['controller-revision-hash'] === updateRevision;
}

/** The address that a pod answers at; `undefined` while it has none. */
export function adminOrigin(pod: Pod | undefined, port: number): string | undefined {
  const ip = pod?.status?.podIP;
  if (!ip || pod?.metadata?.deletionTimestamp !== undefined) return undefined;
  return `http://${hostAndPort(ip, port)}`;
}
