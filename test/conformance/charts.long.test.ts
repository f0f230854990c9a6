import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { deploymentPages } from '../../scripts/charts/deploymentPages.ts';
import { valuesTable } from '../../scripts/charts/valuesTable.ts';
import { helm, missingHelm } from '../support/helm.ts';
import { lets, type Party, type Policy, type Port, selects } from '../support/networkPolicies.ts';
import { leftOutIf } from '../support/required.ts';

const KUBERNETES = ['--kube-version', '1.33.0'];
const KNOWN_KINDS = [
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
  'monitoring.coreos.com/v1',
  'chain.dev/v1alpha1',
].flatMap((kind) => ['--api-versions', kind]);
const TESTNET = ['-f', 'charts/rpcFleet/ci/testnet-values.yaml'];

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, string>>;
}

async function rendered(chart: string, ...args: readonly string[]): Promise<readonly Resource[]> {
  const text = await helm('template', 'rpc', `charts/${chart}`, ...KUBERNETES, ...KNOWN_KINDS, ...args);
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Resource;
  });
}

const kinds = (resources: readonly Resource[]): readonly string[] => resources.map(({ kind }) => kind);

describe('the charts', leftOutIf('the charts', missingHelm()), () => {
  it.each([
    ['operator', []],
    ['rpcFleet', TESTNET],
  ])('%s passes the strict linter', async (chart, args) => {
    expect(await helm('lint', `charts/${chart}`, '--strict', ...KUBERNETES, ...args)).toContain(
      '0 chart(s) failed',
    );
  });

  it('install the operator with everything it needs, and its resource definitions for good', async () => {
    const resources = await rendered('operator');
    expect(kinds(resources)).toEqual(
      expect.arrayContaining([
        'Deployment',
        'ClusterRole',
        'ClusterRoleBinding',
        'Service',
        'PodDisruptionBudget',
        'ServiceAccount',
        'ConfigMap',
        'ValidatingAdmissionPolicy',
      ]),
    );
    const definitions = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(definitions.map(({ metadata }) => metadata.name).sort()).toEqual([
      'chaindisruptionbudgets.chain.dev',
      'chainnodefleets.chain.dev',
      'chainnodes.chain.dev',
    ]);
    for (const { metadata } of definitions)
      expect(metadata).toHaveProperty(['annotations', 'helm.sh/resource-policy'], 'keep');
  });

  it('bring alerts, a dashboard and a monitor of the operator where they are asked for', async () => {
    const asked =
      'serviceMonitor.enabled=true,podMonitor.enabled=true,prometheusRule.enabled=true,grafanaDashboard.enabled=true';
    const found = kinds(await rendered('operator', '--set', asked));
    expect(found).toEqual(
      expect.arrayContaining(['ServiceMonitor', 'PodMonitor', 'PrometheusRule', 'NetworkPolicy']),
    );
    expect(found.filter((kind) => kind === 'ConfigMap')).toHaveLength(2);
  });

  it('hand the operator settings that it takes', async () => {
    const map = (await rendered('operator', '--set', 'watch.selector=team=a,replicas=1')).find(
      ({ kind, data }) => kind === 'ConfigMap' && data['operator.toml'] !== undefined,
    );
    const directory = mkdtempSync(join(tmpdir(), 'charts-'));
    const file = join(directory, 'operator.toml');
    writeFileSync(file, map!.data['operator.toml']!);
    const program = ['operator/bin/chain-operator.js', 'check', '--config', file];
    const { stdout, stderr, status } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('selector = "team=a"');
  });

  it.each([
    ['operator', 'controller.pollInterval=banana'],
    ['operator', 'controller.resyncInterval=99999999999h'],
    ['operator', 'leaderElection.leaseDuration=15'],
    ['operator', 'controller.concurrency=0'],
    ['operator', 'replicas=-1'],
    ['operator', 'statusPage.port=70000'],
    ['operator', 'resources.limits.memory=lots'],
    ['rpcFleet', 'replicas=-1'],
    ['rpcFleet', 'node.storage.size=-1Gi'],
    ['rpcFleet', 'node.resources.limits.memory=lots'],
    ['rpcFleet', 'node.proxy.resources.limits.cpu=-1'],
    ['rpcFleet', 'node.migration.timeouts.sync=banana'],
    ['rpcFleet', 'fleet.update.delay=soon'],
  ])('%s is not installed with %s', async (chart, value) => {
    const [key = ''] = value.split('=');
    await expect(rendered(chart, ...(chart === 'rpcFleet' ? TESTNET : []), '--set', value)).rejects.toThrow(
      `/${key.replaceAll('.', '/')}'`,
    );
  });

  it('keep the settings of one version of the operator from the replicas of another', async () => {
    const namesOf = async (...args: readonly string[]) => {
      const resources = await rendered('operator', ...args);
      const map = resources.find(({ data }) => data?.['operator.toml'] !== undefined)!;
      const { template } = resources.find(({ kind }) => kind === 'Deployment')!.spec as {
        readonly template: { readonly spec: { readonly volumes: readonly object[] } };
      };
      expect(template.spec.volumes[0]).toEqual({ name: 'settings', configMap: { name: map.metadata.name } });
      expect(map).toHaveProperty('immutable', true);
      return map.metadata.name;
    };
    const before = await namesOf();
    expect(await namesOf()).toBe(before);
    expect(await namesOf('--set', 'controller.pollInterval=6s')).not.toBe(before);
  });

  it.each([
    [[], false],
    [['statusPage.exposed=true'], true],
    [['statusPage.exposed=true', 'watch.namespaces={a}'], true],
    [['statusPage.exposed=true', 'statusPage.access=anyone'], false],
  ])('let the operator ask whose a token is where its page is exposed: %j %s', async (values, mayAsk) => {
    const resources = await rendered('operator', ...values.flatMap((value) => ['--set', value]));
    const bindings = resources.filter(({ kind }) => kind === 'ClusterRoleBinding');
    expect(JSON.stringify(bindings).includes('system:auth-delegator')).toBe(mayAsk);
  });

  it('give an operator of some namespaces roles in these and nowhere else', async () => {
    const resources = await rendered('operator', '--set', 'watch.namespaces={a,b}');
    expect(kinds(resources)).not.toContain('ClusterRole');
    const roles = resources.filter(
      ({ kind, metadata }) => kind === 'Role' && metadata.namespace !== undefined,
    );
    expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
  });

  it.each([[], ['--set', 'nameOverride=other,fullnameOverride=another']])(
    'let the operator reach what it needs and who may read metrics reach it, with %j',
    async (...args) => {
      const resources = await rendered('operator', '--namespace', 'chain-system', ...args);
      const policy = resources.find(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy;
      const { template } = resources.find(({ kind }) => kind === 'Deployment')!.spec as {
        readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
      };
      const { labels } = template.metadata;
      expect([selects(policy, labels), labels['chain.dev/component']]).toEqual([true, 'operator']);
      const node = { namespace: 'a', labels: { 'app.kubernetes.io/name': 'chain-node' } };
      const reached: readonly (readonly [Party, Port])[] = [
        [node, 26661] as const,
        [node, 8545] as const,
        [node, 26657] as const,
        ['10.96.0.1', 443] as const,
        ['192.0.2.1', 6443] as const,
        ['203.0.113.9', 26657] as const,
        [{ namespace: 'kube-system', labels: {} }, '53/UDP'],
      ];
      for (const [party, port] of reached) expect(lets(policy, 'egress', party, port), `${port}`).toBe(true);
      expect(lets(policy, 'egress', '169.254.169.254', 80)).toBe(false);
      expect(lets(policy, 'egress', { namespace: 'a', labels: { app: 'db' } }, 5432)).toBe(false);
      const monitoring = { namespace: 'm', labels: {}, of: { 'chain.dev/monitoring': 'true' } };
      const tenant = { namespace: 'a', labels: { app: 'web' } };
      expect(lets(policy, 'ingress', monitoring, 8080)).toBe(true);
      for (const port of [8080, 8081]) expect(lets(policy, 'ingress', tenant, port)).toBe(false);
    },
  );

  it('serve the status page to kubectl port-forward alone, unless it is exposed', async () => {
    const portsOf = async (...args: readonly string[]): Promise<string> => {
      const resources = await rendered('operator', ...args);
      const map = resources.find(({ data }) => data?.['operator.toml'] !== undefined);
      const address = /\[status-page\]\nenabled = true\naddress = "([^"]+)"/.exec(
        map!.data['operator.toml']!,
      );
      const service = resources.find(({ kind }) => kind === 'Service')!;
      return `${address?.[1]} ${JSON.stringify(service.spec.ports).includes('status')}`;
    };
    expect(await portsOf()).toBe('127.0.0.1 false');
    expect(await portsOf('--set', 'statusPage.exposed=true')).toBe('0.0.0.0 true');
  });

  it('never let the operator list secrets or delete pods', async () => {
    const role = (await rendered('operator')).find(({ kind }) => kind === 'ClusterRole') as unknown as {
      readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
    };
    const verbsOf = (resource: string) =>
      role.rules.filter(({ resources }) => resources.includes(resource)).flatMap(({ verbs }) => verbs);
    expect(verbsOf('secrets')).not.toEqual(expect.arrayContaining(['list']));
    expect(verbsOf('secrets')).not.toEqual(expect.arrayContaining(['watch']));
    expect(verbsOf('pods')).not.toContain('delete');
  });

  it('make a fleet of the given size on the test network', async () => {
    const resources = await rendered('rpcFleet', ...TESTNET, '--set', 'replicas=5');
    const fleet = resources.find(({ kind }) => kind === 'ChainNodeFleet');
    expect(fleet?.spec).toMatchObject({
      replicas: 5,
      template: { spec: { role: 'rpc', chain: { id: 'chain-test-1' }, image: 'localhost/chain-node:6.5.0' } },
    });
  });

  it.each([
    ['ingress.enabled=true,ingress.hosts[0].host=rpc.example.org', ['Ingress']],
    ['gateway.enabled=true,gateway.grpc=true', ['HTTPRoute', 'GRPCRoute']],
    [
      'monitoring.alerts=true,monitoring.podMonitor=true,monitoring.serviceMonitor=true',
      ['PrometheusRule', 'PodMonitor', 'ServiceMonitor'],
    ],
    ['monitoring.dashboards=true', ['ConfigMap']],
    ['nodes[0].name=archive,nodes[0].spec.role=archive', ['ChainNode']],
  ])('add what is asked for: %s', async (set, wanted) => {
    const before = kinds(await rendered('rpcFleet', ...TESTNET));
    const after = kinds(await rendered('rpcFleet', ...TESTNET, '--set', set));
    expect(after.length).toBeGreaterThan(before.length);
    expect(after).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    ['operator', 'replica=3', 'replica'],
    ['operator', 'watch.scope=planet', 'scope'],
    ['operator', 'replicas=many', 'replicas'],
    ['rpcFleet', 'fleets.peerMesh=true', 'fleets'],
    ['rpcFleet', 'image.pullPolicy=Sometimes', 'pullPolicy'],
    ['rpcFleet', 'node.stateStore.evmSplitt=true', 'evmSplitt'],
    ['rpcFleet', 'fleet.update.strategy=Sudden', 'strategy'],
  ])('%s refuses %s and names it', async (chart, set, name) => {
    await expect(rendered(chart, ...(chart === 'rpcFleet' ? TESTNET : []), '--set', set)).rejects.toThrow(
      name,
    );
  });

  it('say what is missing from a fleet that belongs to no network', async () => {
    await expect(rendered('rpcFleet')).rejects.toThrow('node.chain is missing');
  });
});

describe('files of the charts', () => {
  it.each(Object.entries(deploymentPages()))('%s is what `npm run gen` makes', (path, write) => {
    expect(readFileSync(path, 'utf8')).toBe(write());
  });

  it('describe every value', () => {
    expect(() => valuesTable('image:\n  tag: ""\n')).toThrow('image.tag has no description');
  });
});
