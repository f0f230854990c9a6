import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode } from '../../operator/src/api/index.ts';
import { KINDS, openEventRecorder, resourceKind, runtimeMetrics } from '../../operator/src/kube/index.ts';
import { CHAIN_DISRUPTION_BUDGET, CHAIN_NODE, CHAIN_NODE_FLEET } from '../../operator/src/resources/index.ts';
import { act } from '../../operator/src/task/act.ts';
import { obstacleOfBudgets } from '../../operator/src/task/index.ts';
import { sealingSeeds } from '../../operator/src/task/jobs/sealingSeeds.ts';
import { logCheck } from '../../operator/src/task/verify/outsideChecks.ts';
import { volumeUsers } from '../../operator/src/task/world/volumeUsers.ts';
import { OPERATOR_RIGHTS, rulesOf } from '../../scripts/charts/operatorRights.ts';
import { type ApiServer, missingApiServer, OPERATOR_USER, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { runMigration } from '../support/operatorKills/migrationRun.ts';
import { OperatorProcess } from '../support/operatorKills/operatorProcess.ts';
import { SCENARIOS } from '../support/operatorKills/scenarios.ts';
import { StepKiller } from '../support/operatorKills/steps.ts';
import { fleetController, nodeController, SEALING_SECRET } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const namespace = 'rights';
const SPEC = { chain: { id: 'c' }, image: 'chain-node:6.5.0', storage: { size: '1Gi' } };
const LISTED = new Set(['list', 'watch']);

describe("the operator's rights", leftOutIf('rights of the operator', missingApiServer()), () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await openApiServer();
    const { client } = server;
    const cluster = { isNamespaced: false };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: OPERATOR_USER }];
    const give = async (kind: string, name: string, rules: unknown, at: object): Promise<void> => {
      const options = kind === 'ClusterRole' ? cluster : {};
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
      const metadata = { name, ...at };
      await client.create(resourceKind(RBAC, kind, options), { metadata, rules } as never);
      const binding = { metadata, roleRef, subjects };
      await client.create(resourceKind(RBAC, `${kind}Binding`, options), binding as never);
    };
    await give('ClusterRole', 'operator', rulesOf(['nodes', 'cluster']), {});
    await give('Role', 'leader', rulesOf(['own']), { namespace: SEALING_SECRET.namespace });
    await client.create(NAMESPACES, { metadata: { name: namespace } } as never);
    for (const kind of [KINDS.volumeSnapshot, KINDS.podMonitor]) await define(server, kind);
  });
  afterAll(() => server?.close());

  const createNode = async (name: string, over: object = {}): Promise<ChainNode> =>
    (await server.client.create(CHAIN_NODE, {
      metadata: { namespace, name },
      spec: { ...SPEC, ...over },
    } as never)) as ChainNode;

  it('are enough for a migration, and for nodes that come, change and go', async () => {
    const { client, operator } = server;
    const well = SCENARIOS.find(({ name }) => name === 'well')!;
    const killer = new StepKiller();
    const run = await runMigration(well, { client, operator: operator.client, namespace: 'well', killer });
    expect(run.found?.status?.migration).toMatchObject({ phase: 'Succeeded' });

    const controller = nodeController({ client: operator.client });
    const ref = { namespace, name: 'n' };
    await createNode('n', { deletionPolicy: 'Delete', monitoring: { podMonitor: { enabled: true } } });
    await controller.reconcile(ref);
    const spare = { proxy: { enabled: false }, networkPolicy: { enabled: false }, storage: { size: '2Gi' } };
    const less = { ...spare, monitoring: { podMonitor: { enabled: false } } };
    await client.patch(CHAIN_NODE, ref, {
      spec: { ...less, podTemplate: { serviceAccountName: 'default' } },
    });
    await controller.reconcile(ref);
    await client.patchMetadata(CHAIN_NODE, ref, { labels: { 'chain.dev/fleet': 'f' } });
    await nodeController({ client: operator.client }).reconcile(ref);
    await client.delete(CHAIN_NODE, ref);
    await controller.reconcile(ref);
    expect(await client.get(KINDS.persistentVolumeClaim, { namespace, name: 'data-n' })).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) },
    });
  });

  it('are enough for a fleet', async () => {
    const { client, operator } = server;
    const ref = { namespace, name: 'fleet' };
    const spec = { replicas: 2, template: { spec: SPEC } };
    await client.create(CHAIN_NODE_FLEET, { metadata: ref, spec } as never);
    const fleets = fleetController(operator.client);
    await fleets.reconcile(ref);
    await client.patch(CHAIN_NODE_FLEET, ref, { spec: { replicas: 1, pdb: { enabled: false } } });
    await until('a node of the fleet goes', async () => {
      await fleets.reconcile(ref);
      const left = await client.list(CHAIN_NODE, { namespace, labelSelector: 'chain.dev/fleet=fleet' });
      return left.filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 1;
    });
  });

  it('are enough for what only some migrations do', async () => {
    const { client } = server.operator;
    const node = await createNode('rare');
    const view = { node, desired: {}, claim: undefined, selectedPeers: [] } as never;
    const context = {
      client,
      sealing: sealingSeeds(client, SEALING_SECRET),
      record: { id: 'x' },
      settings: {},
      shareable: true,
    } as never;
    expect(await sealingSeeds(client, SEALING_SECRET).all()).toHaveLength(1);
    await act(view, { do: 'createSnapshot', name: 'rare-x' }, context);
    expect(await client.get(KINDS.volumeSnapshot, { namespace, name: 'rare-x' })).toBeDefined();
    await act(view, { do: 'deleteLeftover', kind: 'VolumeSnapshot', name: 'rare-x' }, context);
    expect(await client.get(KINDS.volumeSnapshot, { namespace, name: 'rare-x' })).toBe(undefined);
    const kept = { 'app.kubernetes.io/managed-by': 'chain-operator', 'chain.dev/backup-of': 'rare' };
    await server.client.create(CHAIN_DISRUPTION_BUDGET, {
      metadata: { namespace, name: 'all' },
      spec: {},
    } as never);
    expect(await obstacleOfBudgets(client, node)).toBe(undefined);
    await server.client.create(KINDS.secret, { metadata: { namespace, name: 'rare-keys', labels: kept } });
    await act(view, { do: 'deleteKeySecret', name: 'rare-keys' }, context);
    expect(await server.client.get(KINDS.secret, { namespace, name: 'rare-keys' })).toBe(undefined);
    await logCheck(client, view).catch(() => undefined);
    const pod = {
      metadata: { namespace, name: 'user' },
      spec: {
        nodeName: 'gone',
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'held' } }],
      },
    };
    await server.client.create(KINDS.pod, pod as never);
    const users = await volumeUsers(client, { namespace, claim: 'held', migration: 'x' });
    expect(users).toEqual({ volumeUsers: ['user'], unreachable: true });
    let now = 0;
    const metrics = runtimeMetrics(createMetricsRegistry());
    const recorder = openEventRecorder(
      { controller: 'chain.dev/chain-operator', instance: 'test' },
      { client, metrics, logger: silentLogger, now: () => now },
    );
    for (const at of [0, 600_000]) {
      now = at;
      recorder.record({ regarding: node, type: 'Normal', reason: 'R', action: 'A', note: 'n' });
      await until('the event is written', async () =>
        (await server.client.list(KINDS.event, { namespace })).some(({ series }) => !!series === at > 0),
      );
    }
    await recorder.close();
  });

  it('are enough for the program as it starts, leads, follows everything and serves its page', async () => {
    const process = new OperatorProcess({
      kubeconfig: server.operator.kubeconfig,
      namespace: '',
      log: '/dev/null',
      flags: ['--status-page.port=0', '--kubernetes.namespace=default'],
    });
    try {
      await createNode('followed', { hibernate: true });
      await until(
        'it has made the node and renewed its lease',
        async () =>
          (await server.client.get(KINDS.statefulSet, { namespace, name: 'followed' })) &&
          server.asked().some(({ resource, verb }) => resource === 'leases' && verb === 'update'),
        240_000,
      );
    } finally {
      await process.close();
    }
  });

  it('are each used, and nothing was asked beyond them', () => {
    const asked = server.asked().filter(({ resource }) => !resource.startsWith('/'));
    const refused = asked.filter(({ isForbidden }) => isForbidden);
    expect([...new Set(refused.map(({ verb, resource }) => `${verb} ${resource}`))]).toEqual([]);
    const used = new Set(
      asked.flatMap(({ verb, group, resource, status }) => [
        `${verb} ${group}/${resource}`,
        // Server-side apply of what is not there wants the right to create it.
        ...(verb === 'patch' && status === 201 ? [`create ${group}/${resource}`] : []),
      ]),
    );
    const unused = OPERATOR_RIGHTS.filter(({ byAdmission }) => !byAdmission).flatMap(
      ({ group, resource, verbs }) =>
        Object.keys(verbs)
          .map((verb) => `${verb} ${group}/${resource}`)
          .filter((right) => !used.has(right)),
    );
    expect(unused).toEqual([]);
  });

  it('read Secrets by their names alone', () => {
    const secrets = server.asked().filter(({ resource }) => resource === 'secrets');
    expect(secrets.filter(({ verb }) => LISTED.has(verb))).toEqual([]);
    expect(secrets.filter(({ verb, name }) => verb === 'get' && !name)).toEqual([]);
  });
});

/** A kind that others install, without a schema. */
async function define(
  { client }: ApiServer,
  { apiVersion, kind, plural }: { apiVersion: string; kind: string; plural: string },
): Promise<void> {
  const [group, version] = apiVersion.split('/');
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definitions = resourceKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
    isNamespaced: false,
  });
  // Groups of k8s.io want a word of who approved them.
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, for a test' };
  await client.create(definitions, {
    metadata: { name: `${plural}.${group}`, annotations },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  } as never);
  const served = resourceKind(apiVersion, kind, { plural });
  await until(`${plural} are served`, async () => (await client.list(served)) && true, 60_000);
}
