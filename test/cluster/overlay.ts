import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kustomizations that tests apply: the manifests as they are, for volumes of any kind, and what a test wants. */
const DIRECTORY = 'k8s/.tests';

export interface Overlay {
  readonly base: 'testNetwork' | 'rpcNode';
  readonly namespace: string;
  /** In place of the limiter's file. */
  readonly limiter?: string;
}

/** Writes one and gives its path, for `kubectl apply -k`. */
export function writeOverlay({ base, namespace, limiter }: Overlay): string {
  const directory = join(DIRECTORY, namespace);
  mkdirSync(directory, { recursive: true });
  const lines = [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `namespace: ${namespace}`,
    `resources: [../../${base}${base === 'rpcNode' ? ', namespace.yaml' : ''}]`,
    ...(base === 'rpcNode' ? ['components: [../../rootOwnedVolumes]'] : []),
  ];
  if (base === 'rpcNode') {
    const name = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${namespace}\n  labels: { pod-security.kubernetes.io/enforce: restricted }\n`;
    writeFileSync(join(directory, 'namespace.yaml'), name);
  }
  if (limiter !== undefined) {
    writeFileSync(join(directory, 'limiter.toml'), limiter);
    lines.push(
      'configMapGenerator:',
      '  - { name: chain-rpc-limiter, behavior: replace, files: [limiter.toml], options: { disableNameSuffixHash: true } }',
    );
  }
  writeFileSync(join(directory, 'kustomization.yaml'), `${lines.join('\n')}\n`);
  return directory;
}
