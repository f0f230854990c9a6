import type { ChainNode } from '../api/index.ts';
import { manifestOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames } from './nodeNames.ts';

/**
 * The claim of the node: its own object, so that it can grow, be adopted, and outlive the node. It is made once, for of
 * a claim that is there all but the size is fixed. `undefined` with `source.existingClaim`, which is somebody else's.
 */
export function volumeClaim(node: ChainNode): Manifest | undefined {
  const { storage } = node.spec;
  if (storage.source?.existingClaim) return undefined;
  const source = sourceOf(node);
  return manifestOf(
    node,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      name: nodeNames(node.metadata.name).claim,
      survives: true,
    },
    {
      spec: {
        accessModes: [storage.accessMode],
        ...(storage.storageClassName !== undefined && { storageClassName: storage.storageClassName }),
        ...(source && { dataSource: source }),
        resources: { requests: { storage: storage.size } },
      },
    },
  );
}

/** The size alone, for the manager of replicas; a claim never shrinks. */
export function claimSize(
  node: ChainNode,
  { name = '', uid = '' }: { readonly name?: string | undefined; readonly uid?: string | undefined },
  size: string,
): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: node.metadata.namespace, uid },
    spec: { resources: { requests: { storage: size } } },
  };
}

function sourceOf({ spec }: ChainNode): object | undefined {
  const { volumeSnapshot, pvc } = spec.storage.source ?? {};
  if (pvc) return { kind: 'PersistentVolumeClaim', name: pvc.name };
  if (!volumeSnapshot) return undefined;
  return { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: volumeSnapshot.name };
}
