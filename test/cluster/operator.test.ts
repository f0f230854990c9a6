import { readFileSync } from 'node:fs';
import { JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { makeNetworkFiles } from '../support/networkFiles.ts';
import { WORKING_PHASES } from '../support/operatorKills/scenarios.ts';
import { leftOutIf } from '../support/required.ts';
import { SteadyLoad } from '../support/steadyLoad/index.ts';
import { until } from '../support/until.ts';
import { writeFleet, writeSamplesOverlay } from './operatorOverlay.ts';
import { killInPhases } from './phaseKills.ts';
import { SurgeBack } from './surgeBack.ts';

const IMAGES = {
  'rate-limiter': 'localhost/chain-rate-limiter:6.5.0',
  node: 'localhost/chain-node:6.5.0',
  operator: 'localhost/chain-operator:6.5.0',
};
const SYSTEM = 'fleet-system';
const NETWORK = 'fleet-nodes';
const POOL = ['pool-0', 'pool-1', 'pool-2'] as const;
/** Often enough that a node restores what is a minute old. */
const SNAPSHOTS = 20;
/** Five nodes on two busy processors. */
const LONG_MS = 480_000;
const SPLIT_MS = 1_200_000;
const TEST_MS = 1_300_000;

interface Node {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly storage: { readonly size: string } };
  readonly status?: {
    readonly phase?: string;
    readonly nodeId?: string;
    readonly observedGeneration?: number;
    readonly configHash?: string;
    readonly chain?: { readonly height?: number; readonly peers?: number; readonly earliest?: number };
    readonly stateStore?: { readonly evmSplit?: boolean };
    readonly migration?: {
      readonly phase: string;
      readonly attempt: number;
      readonly backup?: { readonly secretName?: string };
    };
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }[];
  };
}
interface Identified {
  readonly metadata: { readonly uid: string };
}

describe('the operator on Kubernetes', {
  timeout: TEST_MS,
  ...leftOutIf('test:cluster', missingCluster()),
}, () => {
  let cluster: Cluster;
  const kubectl = (...args: readonly string[]) => cluster.kubectl('-n', NETWORK, ...args);
  const node = (name: string) => cluster.json<Node>('-n', NETWORK, 'get', 'cn', name);
  const uid = async (...what: readonly string[]) =>
    (await cluster.json<Identified>('-n', NETWORK, 'get', ...what)).metadata.uid;
  const phase = (name: string, wanted: string) =>
    until(`${name} is ${wanted}`, async () => (await node(name)).status?.phase === wanted, LONG_MS);
  const patch = (spec: object) =>
    kubectl('patch', 'cn', 'rpc', '--type=merge', '-p', JSON.stringify({ spec }));
  const podIsGone = (name: string) =>
    until(
      `${name} is gone`,
      async () => (await kubectl('get', 'pod', name, '--ignore-not-found')) === '',
      LONG_MS,
    );
  /** What must outlive a migration. */
  const identityOf = async (name: string) => {
    const [claim, secret] =
      name === 'pool-0' ? ['data-rpc', 'rpc-node-key'] : [`data-${name}`, `${name}-node-key`];
    const key = await kubectl('get', 'secret', secret, '-o', 'jsonpath={.data}');
    const onVolume = [
      'cat',
      '/var/lib/chain/config/node_key.json',
      '/var/lib/chain/config/priv_validator_key.json',
    ];
    const files = await kubectl('exec', `${name}-0`, '-c', 'node', '--', ...onVolume);
    return [(await node(name)).status?.nodeId, await uid('pvc', claim), key, files];
  };
  /** Attempts of each, once all have come through. */
  const allSplit = async () => {
    const nodes = await Promise.all(POOL.map(node));
    const stopped = nodes.find(({ status }) => status?.phase === 'Held');
    if (stopped) expect.unreachable(JSON.stringify(stopped.status));
    const isDone = nodes.every(
      ({ status }) => status?.migration?.phase === 'Succeeded' && status.stateStore?.evmSplit,
    );
    return isDone && nodes.map(({ status }) => status?.migration?.attempt);
  };
  const condition = async (type: string) =>
    (await node('rpc')).status?.conditions?.find((it) => it.type === type);

  beforeAll(async () => {
    cluster = await openCluster();
    await cluster.build(IMAGES);
    await makeNetworkFiles();
    const lease = Object.entries({ leaseDuration: '6s', renewDeadline: '4s', retryPeriod: '1s' });
    await cluster.helm(
      ...`upgrade --install chain-operator charts/operator -n ${SYSTEM} --create-namespace`.split(' '),
      // Definitions may be there from another release, which left them for good.
      ...'--take-ownership --set replicas=1 --wait --timeout 240s'.split(' '),
      // The page is read through the API server's proxy, which hands no token on; by default it is for port-forward alone.
      ...'--set statusPage.exposed=true --set statusPage.access=anyone'.split(' '),
      ...lease.flatMap(([name, value]) => ['--set', `leaderElection.${name}=${value}`]),
    );
    await cluster.kubectl('create', 'namespace', NETWORK);
    await cluster.kubectl('apply', '-k', writeSamplesOverlay(NETWORK, SNAPSHOTS));
    await kubectl('apply', '-f', 'k8s/samples/rpc.yaml');
  });
  afterAll(async () => {
    // Nodes first: somebody must take their finalizers off.
    await cluster?.kubectl('-n', NETWORK, 'delete', 'cnf,cn', '--all', '--timeout=120s');
    await cluster?.helm('uninstall', 'chain-operator', '-n', SYSTEM, '--ignore-not-found');
    await cluster?.kubectl('delete', 'namespace', NETWORK, SYSTEM, '--ignore-not-found', '--wait=false');
    await cluster?.close();
  });

  it('makes a network of four validators, and an RPC node that follows it and serves', async () => {
    await kubectl('wait', '--for=condition=Ready', 'cn/rpc', `--timeout=${LONG_MS / 1000}s`);
    await until(
      'its height is told',
      async () => ((await node('rpc')).status?.chain?.height ?? 0) > 0,
      LONG_MS,
    );
    expect(await kubectl('get', 'cn', 'rpc')).toMatch(/rpc\s+rpc\s+Running\s+\d+\s+\S+\s+True\s+false/);
    const provider = new JsonRpcProvider(await cluster.serviceUrl(NETWORK, 'rpc', 8545));
    expect((await provider.getNetwork()).chainId).toBe(713_715n);
    provider.destroy();
    expect((await node('rpc')).status?.chain?.peers).toBeGreaterThan(0);
    expect(await kubectl('get', 'events')).toContain('chainnode/rpc');
  });

  it('puts back what somebody changes or deletes', async () => {
    const pod = await uid('pod', 'rpc-0');
    await kubectl('delete', 'service', 'rpc-peers');
    await kubectl('patch', 'pdb', 'rpc', '--type=merge', '-p', '{"spec":{"maxUnavailable":0}}');
    await kubectl('scale', 'statefulset', 'rpc', '--replicas=2');
    await until('it is as before', async () => {
      const set = await kubectl('get', 'statefulset', 'rpc', '-o', 'jsonpath={.spec.replicas}');
      const budget = await kubectl('get', 'pdb', 'rpc', '-o', 'jsonpath={.spec.maxUnavailable}');
      return set === '1' && budget === '1' && (await uid('service', 'rpc-peers')) !== '';
    });
    expect(await uid('pod', 'rpc-0')).toBe(pod);
  });

  it('says what is wrong with a spec that cannot be carried out, and lets the node run', async () => {
    await patch({ config: { comet: { p2p: { persistent_peers: 'x' } } } });
    await until('it is stalled', async () => (await condition('Stalled'))?.reason === 'ReservedName');
    expect((await condition('Ready'))?.status).toBe('True');
    await patch({ config: { comet: null } });
    await until('it goes on', async () => (await condition('Stalled'))?.status === 'False');
  });

  it('asks for a larger volume, tells when the storage refuses, and takes the growth back', async () => {
    const { size } = (await node('rpc')).spec.storage;
    await patch({ storage: { size: '21Gi' } });
    await until('the claim has grown, or may not', async () => {
      const what = 'get pvc data-rpc -o jsonpath={.spec.resources.requests.storage}';
      const asked = await kubectl(...what.split(' '));
      return asked === '21Gi' || (await condition('StorageReady'))?.reason === 'ResizeRefused';
    });
    await patch({ storage: { size } });
    // Grown meanwhile, it stays as large and is another than the spec says.
    await until('it is ready', async () => (await condition('StorageReady'))?.status === 'True');
    expect((await condition('Ready'))?.status).toBe('True');
  });

  it('hibernates to no pod, and wakes with its key, on its volume, with a new setting', async () => {
    const [volume, before] = [await uid('pvc', 'data-rpc'), await node('rpc')];
    await patch({ hibernate: true, config: { app: { evm: { max_log_no_block: 77 } } } });
    await phase('rpc', 'Hibernated');
    await podIsGone('rpc-0');
    await patch({ hibernate: false });
    await phase('rpc', 'Running');
    const settings = await kubectl('exec', 'rpc-0', '-c', 'node', '--', 'chaind', 'config', 'show');
    expect(settings).toContain('evm.max_log_no_block = 77');
    const after = await node('rpc');
    expect(after.status?.nodeId).toBe(before.status?.nodeId);
    expect(after.status?.configHash).not.toBe(before.status?.configHash);
    expect(await uid('pvc', 'data-rpc')).toBe(volume);
  });

  it('goes with all but volume and key when it is deleted, and a fleet takes both over', async () => {
    const before = await node('rpc');
    await kubectl('delete', 'cn', 'rpc', '--wait=true', '--timeout=120s');
    await podIsGone('rpc-0');
    await kubectl('apply', '-f', writeFleet('pool', NETWORK, 'rpc'));
    await until('the fleet is there', async () => (await kubectl('get', 'cn', ...POOL)) !== '');
    await kubectl('wait', '--for=condition=Ready', 'cnf/pool', `--timeout=${LONG_MS / 1000}s`);
    expect((await node('pool-0')).status?.nodeId).toBe(before.status?.nodeId);
    expect((await node('pool-0')).status?.chain?.earliest ?? 1).toBeLessThan(3);
  });

  it('splits the fleet under load, killed in each phase, and no request fails', async () => {
    const identities = await Promise.all(POOL.map(identityOf));
    const load = new SteadyLoad({
      jsonRpc: await cluster.serviceUrl(NETWORK, 'pool', 8545),
      consensus: await cluster.serviceUrl(NETWORK, 'pool', 26657),
      evmChainId: 713_715,
      chainId: 'chain-test-1',
    });
    // The operator in each phase of the first; of the second the node itself, while no client is there.
    const operator = ['-n', SYSTEM, 'pod', '-l', 'app.kubernetes.io/name=chain-operator'];
    const kills = killInPhases(cluster, NETWORK, [
      { node: 'pool-0', phases: WORKING_PHASES, victim: operator },
      {
        node: 'pool-1',
        phases: ['Starting', 'Syncing', 'Verifying'],
        victim: ['-n', NETWORK, 'pod', 'pool-1-0'],
      },
    ]);
    const split = { template: { spec: { stateStore: { evmSplit: true } } } };
    await kubectl('patch', 'cnf', 'pool', '--type=merge', '-p', JSON.stringify({ spec: split }));
    const ended = await until('all are split', allSplit, SPLIT_MS).finally(() => kills.end());
    const report = await load.end();
    process.stdout.write(`${JSON.stringify({ ...report, kills: kills.done, attempts: ended })}\n`);
    expect(report.failures).toEqual([]);
    expect(Math.min(report.evmTransfers, report.ledgerTransfers)).toBeGreaterThan(5);
    expect(kills.done.length).toBeGreaterThanOrEqual(WORKING_PHASES.length);
    expect(await Promise.all(POOL.map(identityOf))).toEqual(identities);
    const { secretName = '' } = (await node('pool-0')).status?.migration?.backup ?? {};
    const kept = await cluster.json<{ data: Record<string, string> }>(
      ...`-n ${NETWORK} get secret ${secretName}`.split(' '),
    );
    const keys = ['node_key.json', 'priv_validator_key.json'].map((name) => kept.data[name] ?? '');
    const text = keys.map((key) => Buffer.from(key, 'base64').toString('utf8')).join('');
    expect(text.replaceAll(/\s/g, '')).toBe(String(identities[0]?.[3]).replaceAll(/\s/g, ''));
  });

  it('stops at a canary that answers otherwise, and goes back with the old template', async () => {
    const surge = new SurgeBack(cluster, { namespace: NETWORK, name: 'pool' });
    await surge.patch({ replicas: 2, update: { canary: { count: 1, soak: '1s' } } });
    await surge.parts('Member', 'Member');
    const configure = (app: object | null) => surge.patch({ template: { spec: { config: { app } } } });
    await configure({ evm: { deny_list: ['eth_getBlockReceipts'] } });
    const why = await until(
      'it is paused',
      async () => (await surge.phase()) === 'Paused' && surge.blockedBy(),
      LONG_MS,
    );
    expect(why).toContain('pool-0: eth_getBlockReceipts');
    expect(await kubectl('get', 'cn', 'pool-1', '-o', 'jsonpath={.spec.config.app}')).toBe('');
    await configure(null);
    await until('it is as before', async () => (await surge.phase()) === 'Complete', LONG_MS);
  });

  it('changes a layout by a second node beside the first, and back at once, and no request fails', async () => {
    const surge = new SurgeBack(cluster, { namespace: NETWORK, name: 'pool' });
    await surge.patch({ replicas: 1, update: { strategy: 'Surge', canary: { count: 0 } } });
    await surge.parts('Member');
    const load = surge.load(
      await cluster.serviceUrl(NETWORK, 'pool', 8545),
      await cluster.serviceUrl(NETWORK, 'pool', 26657),
    );
    await surge.split(false);
    const twin = await surge.twin();
    await surge.expectUnserved(twin);
    await surge.parts('Member', 'Retired');
    expect(await surge.isSplit(twin)).toBe(false);
    await podIsGone('pool-0-0');
    expect(await uid('pvc', 'data-rpc')).not.toBe(await uid('pvc', `data-${twin}`));
    await surge.split(true);
    await podIsGone(`${twin}-0`);
    expect((await surge.parts('Member', 'Retired')).find(({ part }) => part === 'Member')?.name).toBe(
      'pool-0',
    );
    const report = await load.end();
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.failures).toEqual([]);
    expect(Math.min(report.evmTransfers, report.ledgerTransfers)).toBeGreaterThan(5);
  });

  it('shows on its page what every leader has done, and has the metrics that its alerts ask for', async () => {
    const proxy = `/api/v1/namespaces/${SYSTEM}/services/chain-operator`;
    const page = await until('the page tells of the end', async () => {
      const text = await cluster.kubectl('get', '--raw', `${proxy}:status/proxy/`);
      return POOL.every((name) => text.includes(name)) && text.includes('MigrationSucceeded') && text;
    });
    expect(page).toContain('MigrationBackingUp');
    const metrics = await cluster.kubectl('get', '--raw', `${proxy}:admin/proxy/metrics`);
    const rules = readFileSync('charts/operator/files/rules.json', 'utf8');
    const asked = new Set(rules.match(/\bchain_[a-z_]+/g));
    expect(asked.size).toBeGreaterThan(3);
    for (const name of asked) expect(metrics).toMatch(new RegExp(`^# TYPE ${name}\\b`, 'm'));
    expect(metrics).toMatch(/^chain_kube_leader\w* 1$/m);
  });
});
