import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import {
  type KubeObject,
  loadCredentials,
  openKubeClient,
  resourceKind,
} from '../../operator/src/kube/index.ts';
import { freePort } from '../support/freePort.ts';
import { processMemory } from '../support/processMemory.ts';
import { until } from '../support/until.ts';
import type { BenchOptions, Report } from './bench.ts';
import { processCpuUs } from './processCpu.ts';

const NODES = { short: 50, full: 500 } as const;
const CHANGES = 40;
const STEADY_MS = 60_000;
const PATIENCE_MS = 900_000;
const NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const NAMESPACE = resourceKind<KubeObject>('v1', 'Namespace', { isNamespaced: false });
const REQUESTS = /^chain_kube_requests_total\{verb="\w+",code="\d+"\} (\d+)$/gm;
const WRITES = /^chain_kube_requests_total\{verb="(?:apply|create|patch\w*|delete)",code="\d+"\} (\d+)$/gm;
const HIBERNATED = /^chain_controller_phases_count\w*\{phase="Hibernated"\} (\d+)$/gm;
const OPERATOR = 'operator/bin/chain-operator.js';
/** The image's, within the 512 MiB that the manifests allow. */
const HEAP = ['--max-old-space-size=384', '--max-semi-space-size=16'];
const POLL_MS = 250;
const QUIET_MS = 20_000;

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
    const operator = await startOperator(namespace);
    try {
      await until(
        'all nodes are reconciled',
        async () => {
          await pause(POLL_MS);
          const done = await operator.sum(HIBERNATED);
          progress(`${done} of ${count} nodes are reconciled`);
          return done >= count;
        },
        PATIENCE_MS,
      );
      const [coldS, cpuS] = [(performance.now() - operator.startedAt) / 1000, operator.cpuSeconds()];
      const limitS = 60 * (count / 500);
      const peer = '60 s for 500';
      report({ name: `${count} nodes from cold`, value: coldS, unit: 's', peer, ratio: coldS / limitS });
      report({
        name: "of these the operator's processor",
        value: cpuS,
        unit: 's',
        ...{ peer, ratio: cpuS / limitS },
      });
      const asked = (await operator.sum(REQUESTS)) / count;
      report({ name: 'requests a node', value: asked, unit: 'requests', peer: '20', ratio: asked / 20 });
      await reportReaction(report, namespace, client);
      // What Kubernetes does with all these objects is told in statuses.
      await until('nothing is written any more', () => isQuiet(operator), PATIENCE_MS);
      const before = await operator.sum(WRITES);
      await pause(STEADY_MS);
      // The lease is renewed every two seconds or so, by `replace`.
      const made = (await operator.sum(WRITES)) - before;
      report({
        name: 'writes in a steady minute, the lease aside',
        value: made,
        unit: 'requests',
        ...{ peer: '2', ratio: made / 2 },
      });
      const rss = operator.rssBytes() / 1e6;
      report({ name: 'memory of the operator', value: rss, unit: 'MB', peer: '250 MB', ratio: rss / 250 });
    } finally {
      await operator.stop();
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
    // Of a class that nobody provides: how fast a cluster makes volumes is not the operator's.
    storage: { size: '1Gi', storageClassName: 'none' },
  };
  return { metadata: { namespace, name: `n${at}` }, spec: { ...spec, deletionPolicy: 'Delete' } } as never;
}

async function isQuiet(operator: Started): Promise<boolean> {
  const before = await operator.sum(WRITES);
  await pause(QUIET_MS);
  return (await operator.sum(WRITES)) === before;
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

interface Started {
  readonly startedAt: number;
  /** Sum of the samples whose lines match, by their last group. */
  sum(samples: RegExp): Promise<number>;
  cpuSeconds(): number;
  rssBytes(): number;
  stop(): Promise<void>;
}

/** The operator as a process of its own, as it is installed but for the address of its listeners. */
async function startOperator(namespace: string): Promise<Started> {
  const port = await freePort();
  const startedAt = performance.now();
  const flags = [`--kubernetes.namespaces=${namespace}`, `--kubernetes.namespace=${namespace}`];
  const child = spawn(
    process.execPath,
    [...HEAP, OPERATOR, ...flags, `--admin.port=${port}`, '--status-page.port=0', '--log.level=error'],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const pid = child.pid!;
  const text = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return {
    startedAt,
    sum: async (samples) => {
      const found = [...(await text()).matchAll(samples)];
      return found.reduce((sum, match) => sum + Number(match.at(-1)), 0);
    },
    cpuSeconds: () => processCpuUs(pid) / 1e6,
    rssBytes: () => processMemory(pid, 'VmRSS'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));

/** Nodes have a finalizer, and nobody is left to take it off. */
async function letGo(client: ReturnType<typeof openKubeClient>['client'], namespace: string): Promise<void> {
  for (const { metadata } of await client.list(NODE, { namespace })) {
    await client.patchMetadata(NODE, { namespace, name: metadata.name }, { finalizers: [] });
  }
  await client.delete(NAMESPACE, { name: namespace });
}
