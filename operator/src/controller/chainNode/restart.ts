import type { ChainNode } from '../../api/index.ts';
import type { KubeClient, Pod, StatefulSet } from '../../kube/index.ts';
import type { DesiredWorkload } from '../../resources/index.ts';
import { mustAsk, obstacleNow } from '../../task/index.ts';
import { podFacts } from './podFacts.ts';

/** What becomes of a new template of a node whose pod is there. */
export type Restart =
  | { readonly state: 'free' }
  /** It was not applied: somebody else must let the node go first. */
  | { readonly state: 'waits'; readonly message: string }
  /** It was not applied yet: that the node goes is in its status before it goes. */
  | { readonly state: 'begins' }
  /** A new operator alone wants it, and the pod is well. */
  | { readonly state: 'nextRestart' };

export const FREE: Restart = { state: 'free' };

interface Change {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly pod: Pod | undefined;
  readonly live: StatefulSet;
  /** What the spec asks for is the same as when the live template was rendered. */
  readonly isOperators: boolean;
}

/** Whether another template may be applied now, which replaces the pod. */
export async function restartOf(client: KubeClient, change: Change): Promise<Restart> {
  const { node, desired, pod, live, isOperators } = change;
  const facts = podFacts(pod);
  // Nobody is taken away where nobody is, where clients were sent elsewhere before, or where the pod ends by itself.
  if (live.spec?.replicas === 0 || !facts.isThere || facts.isTerminating || !desired.serves) return FREE;
  if (isOperators && node.spec.config.upgradePolicy === 'NextRestart')
    return facts.isFailing ? FREE : { state: 'nextRestart' };
  const pending = node.status?.conditions?.find(({ type }) => type === 'DisruptionPending');
  if (pending?.reason === 'Begun' || !(await mustAsk(client, node))) return FREE;
  const message = await obstacleNow(client, node);
  return message === undefined ? { state: 'begins' } : { state: 'waits', message };
}
