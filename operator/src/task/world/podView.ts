import { oneLine } from '@chain/platform';
import { LABELS } from '../../api/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { ObservedState } from '../../plan/index.ts';
import { POD_NAMES } from '../../resources/index.ts';

const LONG = 600;

/** What the node's pod says of it. */
export function podView(pod: Pod | undefined): Pick<
  ObservedState['workload'],
  'serving' | 'ready' | 'running' | 'restarts'
> & {
  readonly crash?: string;
} {
  const main = pod?.status?.containerStatuses?.find(({ name }) => name === POD_NAMES.node);
  const home = pod?.status?.initContainerStatuses?.find(({ name }) => name === POD_NAMES.home);
  const crash = crashOf(main) ?? crashOf(home);
  return {
    serving: pod?.metadata?.labels?.[LABELS.serving] === 'true',
    ready:
      pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    running: main?.state?.running !== undefined,
    restarts: (main?.restartCount ?? 0) + (home?.restartCount ?? 0),
    ...(crash !== undefined && { crash }),
  };
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

/** Why a container does not stay up: what it said when it ended last. */
function crashOf(status: ContainerStatus | undefined): string | undefined {
  const ended =
    status?.state?.terminated ?? (status?.state?.running ? undefined : status?.lastState?.terminated);
  if (!ended || ended.exitCode === 0) return undefined;
  const said = oneLine(ended.message?.trim().slice(-LONG) ?? ended.reason ?? '', LONG);
  return `container ${status!.name} ended with ${ended.exitCode}: ${said}`;
}
