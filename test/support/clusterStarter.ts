import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The program that starts a Kubernetes on this machine; it also has kubectl, Helm and an image builder. */
export const CLUSTER_STARTER = resolve(process.env.CHAIN_CLUSTER ?? '../shared/cluster/cluster');

/** Says why it cannot be used, or `undefined`. */
export function missingStarter(): string | undefined {
  return existsSync(CLUSTER_STARTER)
    ? undefined
    : `no cluster starter at ${CLUSTER_STARTER} (set CHAIN_CLUSTER to the path of another)`;
}

/** Of the cluster it has started; `undefined` where KUBECONFIG names one, which is looked at anyhow. */
export function starterKubeconfig(): string | undefined {
  if (process.env.KUBECONFIG) return undefined;
  return execFileSync(CLUSTER_STARTER, ['kubeconfig'], { encoding: 'utf8' }).trim();
}

/** etcd, kube-apiserver and all else of a cluster in one program, unpacked; `undefined` where that cannot be. */
export function clusterBinary(): string | undefined {
  const path = join(process.env.CHAIN_CLUSTER_DIR ?? '/var/lib/chain-cluster', 'bin/chaincluster');
  if (!existsSync(path) && missingStarter() === undefined) {
    spawnSync(CLUSTER_STARTER, ['kubectl', 'version', '--client'], { stdio: 'ignore' });
  }
  return existsSync(path) ? path : undefined;
}
