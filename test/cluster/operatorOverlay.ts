import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = 'k8s/.tests';

/** The operator as k8s/operator has it, with one process: these machines are small. */
export function writeOperatorOverlay(namespace: string): string {
  return write(`operator-${namespace}`, [
    'resources: [../../operator]',
    'patches:',
    '  - target: { kind: Deployment, name: chain-operator }',
    '    patch: |',
    '      - { op: replace, path: /spec/replicas, value: 1 }',
  ]);
}

/** The samples in a namespace, for volumes of any kind: whoever owns them hands them to the node's user first. */
export function writeSamplesOverlay(namespace: string): string {
  const volume = {
    name: 'volume',
    image: 'localhost/chain-node:6.5.0',
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '-e', "require('fs').chownSync('/var/lib/chain', 1000, 1000)"],
    securityContext: {
      runAsNonRoot: false,
      runAsUser: 0,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], add: ['CHOWN'] },
    },
    volumeMounts: [{ name: 'data', mountPath: '/var/lib/chain' }],
  };
  const operation = { op: 'add', path: '/spec/podTemplate', value: { extraInitContainers: [volume] } };
  return write(`samples-${namespace}`, [
    `namespace: ${namespace}`,
    'resources: [../../samples]',
    'patches:',
    '  - target: { kind: ChainNode }',
    '    patch: |',
    `      - ${JSON.stringify(operation)}`,
  ]);
}

function write(name: string, lines: readonly string[]): string {
  const directory = join(DIRECTORY, name);
  mkdirSync(directory, { recursive: true });
  const head = ['apiVersion: kustomize.config.k8s.io/v1beta1', 'kind: Kustomization'];
  writeFileSync(join(directory, 'kustomization.yaml'), `${[...head, ...lines].join('\n')}\n`);
  return directory;
}
