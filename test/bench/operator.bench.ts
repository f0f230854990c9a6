import { mkdirSync, writeFileSync } from 'node:fs';
import { Lifecycle } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { API_VERSION, type ChainNode, FLEET_KIND, NODE_KIND } from '../../operator/src/api/index.ts';
import {
  type KubeClient,
  type KubeObject,
  loadCredentials,
  openKubeClient,
  resourceKind,
} from '../../operator/src/kube/index.ts';
import { missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { until } from '../support/until.ts';
import type { BenchOptions, Report } from './bench.ts';
import { lineChart } from './lineChart.ts';
import { type MeasuredOperator, startMeasured } from './measuredOperator.ts';
import { SimulatedKubelet } from './simulatedKubelet.ts';

const SIZES = (process.env.OPERATOR_NODES ?? '').split(',').filter(Boolean).map(Number);
const DEFAULT_SIZES = { short: [50], full: [250, 500, 1_000, 2_500, 5_000] } as const;
/** At most; half as many fleets as namespaces, rounded up. */
const FLEET_NODES = 100;
const CHANGES = 40;
const STEADY_S = 60;
const PATIENCE_MS = 3_600_000;
const QUIET_MS = 20_000;
const POLL_MS = 250;
/** What the operator shall keep to at this size; the smaller and the larger by proportion. */
const TARGET = { nodes: 1_000, coldS: 120, seenS: 1, writes: 5, reads: 30, memoryMb: 400, processors: 0.3 };
const CHART = 'docs/benchmarks/operator.svg';
const NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const FLEET = resourceKind<KubeObject>(API_VERSION, FLEET_KIND);

interface Measured {
  readonly nodes: number;
  readonly coldCpuS: number;
  readonly processors: number;
  readonly memoryMb: number;
  readonly reads: number;
}

/**
 * The operator against an API server of its own: fleets of a hundred nodes that run, as kubelet would report them, and
 * that answer `/status` with a new height each second. Processor and memory are the operator's alone.
 */
export async function run(report: Report, { full, progress }: BenchOptions): Promise<void> {
  const missing = missingApiServer();
  if (missing) {
    console.log(`  operator: left out, ${missing}`);
    return;
  }
  const sizes = SIZES.length > 0 ? SIZES : DEFAULT_SIZES[full ? 'full' : 'short'];
  const measured: Measured[] = [];
  for (const nodes of sizes) measured.push(await measure(nodes, report, progress));
  if (measured.length > 1) drawChart(measured);
}

async function measure(nodes: number, report: Report, progress: BenchOptions['progress']): Promise<Measured> {
  const lifecycle = new Lifecycle();
  try {
    const server = lifecycle.own(await openApiServer());
    const credentials = loadCredentials(server.kubeconfig);
    const metrics = createMetricsRegistry();
    const connection = lifecycle.own(openKubeClient({ credentials, metrics }));
    const kubelet = new SimulatedKubelet(connection, lifecycle);
    const fleets = await makeFleets(connection.client, nodes);
    // The live objects of larger fleets do not fit into the heap of the image: its limit is the user's to raise.
    const heapMb = nodes > TARGET.nodes ? [Math.ceil((384 * nodes) / TARGET.nodes)] : [];
    const operator = await startMeasured(server.kubeconfig, ...heapMb);
    lifecycle.defer(() => operator.stop());
    const told = { nodes, report, operator };
    const coldCpuS = await reportCold(told, connection.client, fleets, progress);
    await reportReaction(told, connection.client, fleets);
    await until('nothing is written any more', () => isQuiet(operator), PATIENCE_MS);
    const rest = await reportRest(told, kubelet);
    return { nodes, coldCpuS, ...rest };
  } finally {
    await lifecycle.close();
  }
}

interface Told {
  readonly nodes: number;
  readonly report: Report;
  readonly operator: MeasuredOperator;
}

interface FleetRef {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

async function makeFleets(client: KubeClient, nodes: number): Promise<readonly FleetRef[]> {
  const count = Math.ceil(nodes / FLEET_NODES);
  const fleets = Array.from({ length: count }, (_, at) => ({
    namespace: `bench-${Math.floor(at / 2)}`,
    name: `pool-${at % 2}`,
    replicas: Math.min(FLEET_NODES, nodes - at * FLEET_NODES),
  }));
  for (const name of new Set(fleets.map(({ namespace }) => namespace)))
    await client.create(NAMESPACES, { metadata: { name } });
  for (const { namespace, name, replicas } of fleets) {
    const storage = { size: '1Gi' };
    const spec = { chain: { id: 'bench-1' }, image: 'localhost/chain-node:6.5.0', storage };
    const fleet = { metadata: { namespace, name }, spec: { replicas, template: { spec } } };
    await client.create(FLEET, fleet as never);
  }
  return fleets;
}

/** Until all fleets say that all nodes serve; gives the processor time that the operator took for it. */
async function reportCold(
  { nodes, report, operator }: Told,
  client: KubeClient,
  fleets: readonly FleetRef[],
  progress: BenchOptions['progress'],
): Promise<number> {
  await until(
    'all nodes serve',
    async () => {
      await pause(POLL_MS);
      let ready = 0;
      for (const ref of fleets) {
        const fleet = (await client.get(FLEET, ref)) as { status?: { readyReplicas?: number } } | undefined;
        ready += fleet?.status?.readyReplicas ?? 0;
      }
      progress(`${ready} of ${nodes} nodes serve`);
      return ready >= nodes;
    },
    PATIENCE_MS,
  );
  const coldS = (performance.now() - operator.startedAt) / 1000;
  const cpuS = operator.cpuSeconds();
  const limitS = TARGET.coldS * (nodes / TARGET.nodes);
  const peer = `${TARGET.coldS} s for ${TARGET.nodes}`;
  report({ name: `${nodes} running nodes from cold`, value: coldS, unit: 's', peer, ratio: coldS / limitS });
  report({ name: "of these the operator's processor", value: cpuS, unit: 's', peer, ratio: cpuS / limitS });
  const asked = (await operator.asked()).all / nodes;
  report({ name: 'requests a node', value: asked, unit: 'requests', peer: '30', ratio: asked / 30 });
  return cpuS;
}

/** From the change of a spec until its generation is observed, p95. */
async function reportReaction(
  { report }: Told,
  client: KubeClient,
  fleets: readonly FleetRef[],
): Promise<void> {
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const { namespace, name, replicas } = fleets[change % fleets.length]!;
    const ref = { namespace, name: `${name}-${Math.floor(change / fleets.length) % replicas}` };
    const patched = await client.patch(NODE, ref, { spec: { proxy: { rate: { burst: 30 + change } } } });
    const startedAt = performance.now();
    await until('the change is observed', async () => {
      const node = await client.get(NODE, ref);
      return (node?.status?.observedGeneration ?? 0) >= patched.metadata.generation;
    });
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const value = times[Math.floor(times.length * 0.95)]! / 1000;
  const peer = `${TARGET.seenS} s`;
  report({ name: 'a changed spec is observed, p95', value, unit: 's', peer, ratio: value / TARGET.seenS });
}

async function isQuiet(operator: MeasuredOperator): Promise<boolean> {
  const before = (await operator.asked()).writes;
  await pause(QUIET_MS);
  return (await operator.asked()).writes - before <= 1;
}

async function reportRest(
  { nodes, report, operator }: Told,
  kubelet: SimulatedKubelet,
): Promise<Omit<Measured, 'nodes' | 'coldCpuS'>> {
  const before = { ...(await operator.asked()), cpuS: operator.cpuSeconds(), answered: kubelet.asked };
  await pause(STEADY_S * 1000);
  const after = await operator.asked();
  const processors = (operator.cpuSeconds() - before.cpuS) / STEADY_S;
  const reads = (after.reads - before.reads) / STEADY_S;
  const memoryMb = operator.rssBytes() / 2 ** 20;
  const share = nodes / TARGET.nodes;
  const rows = [
    ['writes in a minute of rest, the lease aside', after.writes - before.writes, '', TARGET.writes],
    ['reads in a second of rest', reads, '/s', TARGET.reads * share],
    ["the operator's processors in rest", processors, '', TARGET.processors * share],
    ['memory of the operator', memoryMb, 'MiB', TARGET.memoryMb * Math.max(1, share)],
  ] as const;
  for (const [name, value, unit, limit] of rows)
    report({ name, value, unit, peer: `${limit}`, ratio: value / limit });
  const answered = (kubelet.asked - before.answered) / STEADY_S / nodes;
  report({ name: 'questions to a node in a second of rest', value: answered, unit: '/s' });
  return { processors, memoryMb, reads };
}

function drawChart(measured: readonly Measured[]): void {
  const line = (name: string, unit: string, of: (one: Measured) => number) => ({
    name,
    unit,
    points: measured.map((one) => [one.nodes, of(one)] as const),
  });
  const text = {
    title: 'The operator against the number of running nodes',
    note: 'Fleets of 100 nodes that answer; processor time of the operator; both axes logarithmic',
    xName: 'nodes',
  };
  mkdirSync('docs/benchmarks', { recursive: true });
  writeFileSync(
    CHART,
    lineChart(text, [
      line('from cold', 's of processor', ({ coldCpuS }) => coldCpuS),
      line('in rest', 'processors', ({ processors }) => processors),
      line('reads in rest', '/s', ({ reads }) => reads),
      line('memory', 'MiB', ({ memoryMb }) => memoryMb),
    ]),
  );
  console.log(`  wrote ${CHART}`);
}

const pause = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms));
