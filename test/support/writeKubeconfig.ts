import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A kubeconfig of one cluster and one user; gives its path. */
export function writeKubeconfig(directory: string, cluster: object, user: object): string {
  const path = join(directory, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'default' } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
