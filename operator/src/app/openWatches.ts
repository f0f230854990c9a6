import type { Logger } from '@chain/platform';
import { API_VERSION, type ChainNode, LABELS, NODE_KIND, NODE_PLURAL } from '../api/index.ts';
import {
  Informer,
  type InformerDeps,
  KINDS,
  type KubeObject,
  type PersistentVolumeClaim,
  type Pod,
  type RuntimeMetrics,
  resourceKind,
  type StatefulSet,
} from '../kube/index.ts';

export interface Watches {
  readonly nodes: Informer<ChainNode>;
  readonly all: readonly Informer<KubeObject>[];
}

interface WatchDeps {
  readonly transport: InformerDeps['transport'];
  readonly logger: Logger;
  readonly metrics: RuntimeMetrics;
}

/**
 * The nodes, and the objects whose changes are theirs. `onNode` is told the key of the node that a change belongs to.
 * What only the operator changes (Services, files) is looked at in each pass, not watched.
 */
export function makeWatches(
  namespaces: readonly string[],
  { transport, logger, metrics }: WatchDeps,
  onNode: (key: string) => void,
): Watches {
  const deps: InformerDeps = {
    ...{ transport, logger },
    onAlive: (kind) => metrics.watchAlive.set(Date.now() / 1000, { kind }),
  };
  const nodes = new Informer<ChainNode>(
    { kind: resourceKind<ChainNode>(API_VERSION, NODE_KIND, { plural: NODE_PLURAL }), namespaces },
    deps,
  );
  const labelSelector = LABELS.node;
  const sets = new Informer<StatefulSet>({ kind: KINDS.statefulSet, namespaces, labelSelector }, deps);
  const pods = new Informer<Pod>({ kind: KINDS.pod, namespaces, labelSelector }, deps);
  const claims = new Informer<PersistentVolumeClaim>(
    { kind: KINDS.persistentVolumeClaim, namespaces, labelSelector },
    deps,
  );
  nodes.onChange(({ key }) => onNode(key));
  for (const children of [sets, pods, claims] as unknown as Informer<KubeObject>[]) {
    children.onChange(({ object, before }) => {
      const { labels, namespace } = (object ?? before)?.metadata ?? {};
      const name = labels?.[LABELS.node];
      if (name !== undefined) onNode(`${namespace}/${name}`);
    });
  }
  return { nodes, all: [nodes, sets, pods, claims] as unknown as Informer<KubeObject>[] };
}
