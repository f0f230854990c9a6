import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcSpec } from '../support/rpcSpec.ts';

const DIRECTORY = 'k8s/.tests';

/** The validators of the samples in a namespace; they make snapshots so often. */
export function writeSamplesOverlay(namespace: string, snapshotInterval: number): string {
  const config = { app: { 'state-sync': { 'snapshot-interval': snapshotInterval } } };
  const operation = { op: 'add', path: '/spec/config', value: config };
  const directory = join(DIRECTORY, `samples-${namespace}`);
  mkdirSync(directory, { recursive: true });
  const lines = [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `namespace: ${namespace}`,
    'resources: [../../samples]',
    'patches:',
    '  - target: { kind: ChainNode }',
    '    patch: |',
    `      - ${JSON.stringify(operation)}`,
  ];
  writeFileSync(join(directory, 'kustomization.yaml'), `${lines.join('\n')}\n`);
  return directory;
}

/** Three RPC nodes; the first one takes over volume and key of a ChainNode that is gone. */
export function writeFleet(name: string, namespace: string, adopted: string): string {
  const spec = rpcSpec([0, 1].map((i) => `http://validator-${i}:26657`));
  const patch = {
    storage: { source: { existingClaim: { name: `data-${adopted}` } } },
    nodeKey: { generate: null, secretRef: { name: `${adopted}-node-key` } },
  };
  const fleet = {
    apiVersion: 'chain.dev/v1alpha1',
    kind: 'ChainNodeFleet',
    metadata: { name, namespace },
    spec: { replicas: 3, template: { spec }, overrides: [{ ordinal: 0, patch }] },
  };
  const path = join(DIRECTORY, `${name}.json`);
  writeFileSync(path, JSON.stringify(fleet));
  return path;
}
