import { createMetricsRegistry, silentLogger } from '@chain/platform';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import { openOperator } from '../../operator/src/app/index.ts';
import {
  type KubeObject,
  loadCredentials,
  openKubeClient,
  resourceKind,
} from '../../operator/src/kube/index.ts';
import { loadSettings } from '../../operator/src/settings/index.ts';
import { until } from '../support/until.ts';
import type { BenchOptions, Report } from './bench.ts';

const NODES = { short: 50, full: 500 } as const;
const CHANGES = 40;
const STEADY_MS = 60_000;
const PATIENCE_MS = 900_000;
const NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const NAMESPACE = resourceKind<KubeObject>('v1', 'Namespace', { isNamespaced: false });
const WRITES =
  /^chain_kube_requests_total\{verb="(apply|create|replace|patch\w*|delete)",code="\d+"\} (\d+)$/gm;

/**
 * The operator against the API server that KUBECONFIG names: hibernated nodes, so that no pod is needed. Definitions
 * must be there (kubectl apply --server-side -k k8s/crd).
 */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  if (!process.env.KUBECONFIG) {
    console.log('  operator: left out, KUBECONFIG names no cluster');
    return;
  }
  const count = full ? NODES.full : NODES.short;
  const namespace = `bench-operator-${process.pid}`;
  const credentials = loadCredentials();
  const { client, close } = openKubeClient({ credentials, metrics: createMetricsRegistry() });
  await client.create(NAMESPACE, { metadata: { name: namespace } });
  try {
    for (let at = 0; at < count; at++) {
      progress(`${at} of ${count} nodes are there`);
      await client.create(NODE, nodeAt(namespace, at));
    }
    const flags = {
      'kubernetes.namespaces': namespace,
      'admin.port': '0',
      'status-page.enabled': 'false',
    };
    const { settings } = await loadSettings({ file: undefined, environment: {}, flags });
    const startedAt = performance.now();
    const operator = await openOperator(
      { settings, namespace, instance: 'bench' },
      { credentials, logger: silentLogger },
    );
    try {
      const hibernated = async () => {
        const nodes = await client.list(NODE, { namespace });
        const left = nodes.filter(({ status }) => status?.phase !== 'Hibernated').length;
        progress(`${count - left} of ${count} nodes are reconciled`);
        return left === 0;
      };
      await until('all nodes are reconciled', hibernated, PATIENCE_MS);
      const coldS = (performance.now() - startedAt) / 1000;
      report({
        name: `${count} nodes from cold`,
        value: coldS,
        unit: 's',
        peer: '60 s for 500',
        ratio: coldS / (60 * (count / 500)),
      });
      const rss = process.memoryUsage().rss / 1e6;
      report({
        name: 'memory of operator and bench',
        value: rss,
        unit: 'MB',
        peer: '250 MB',
        ratio: rss / 250,
      });
      await reportReaction(report, namespace, client);
      const before = await writes(operator.metrics);
      await new Promise((steady) => setTimeout(steady, STEADY_MS));
      // The lease is renewed every two seconds or so, by `replace`.
      const made = (await writes(operator.metrics)) - before;
      report({
        name: 'writes in a steady minute, the lease aside',
        value: made,
        unit: 'requests',
        peer: '2',
        ratio: made / 2,
      });
    } finally {
      await operator.close();
    }
  } finally {
    await letGo(client, namespace);
    close();
  }
}

function nodeAt(namespace: string, at: number) {
  const spec = {
    chain: { id: 'bench-1' },
    image: 'chain-node:6.5.0',
    hibernate: true,
    storage: { size: '1Gi' },
  };
  return { metadata: { namespace, name: `n${at}` }, spec: { ...spec, deletionPolicy: 'Delete' } } as never;
}

/** From the change of a spec until its generation is observed, p95. */
async function reportReaction(
  report: Report,
  namespace: string,
  client: ReturnType<typeof openKubeClient>['client'],
): Promise<void> {
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const ref = { namespace, name: `n${change}` };
    const patched = await client.patch(NODE, ref, { spec: { proxy: { rate: { burst: 30 + change } } } });
    const startedAt = performance.now();
    await until('the change is observed', async () => {
      const node = await client.get(NODE, ref);
      return (node?.status?.observedGeneration ?? 0) >= patched.metadata.generation;
    });
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const p95 = times[Math.floor(times.length * 0.95)]! / 1000;
  report({ name: 'a changed spec is carried out, p95', value: p95, unit: 's', peer: '1 s', ratio: p95 });
}

async function writes(metrics: { text(): Promise<string> }): Promise<number> {
  const found = [...(await metrics.text()).matchAll(WRITES)].filter(([, verb]) => verb !== 'replace');
  return found.reduce((sum, [, , count]) => sum + Number(count), 0);
}

/** Nodes have a finalizer, and nobody is left to take it off. */
async function letGo(client: ReturnType<typeof openKubeClient>['client'], namespace: string): Promise<void> {
  for (const { metadata } of await client.list(NODE, { namespace })) {
    await client.patchMetadata(NODE, { namespace, name: metadata.name }, { finalizers: [] });
  }
  await client.delete(NAMESPACE, { name: namespace });
}
