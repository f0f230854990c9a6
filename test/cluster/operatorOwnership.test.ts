import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import type { CachedObjects } from '../../operator/src/controller/index.ts';
import { KINDS, type KubeObject, type ResourceKind } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE, CHAIN_NODE_FLEET } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { fleetController, nodeController } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';

const namespace = 'ownership';
const LABELS = { app: 'theirs' };

type Foreign = readonly [kind: ResourceKind, name: string, fields: object];

const template = {
  metadata: { labels: LABELS },
  spec: { containers: [{ name: 'theirs', image: 'theirs' }] },
};
const FOREIGN: readonly Foreign[] = [
  [KINDS.service, 'NODE', { spec: { selector: LABELS, ports: [{ port: 80 }] } }],
  [KINDS.service, 'NODE-peers', { spec: { selector: LABELS, ports: [{ port: 80 }] } }],
  [KINDS.configMap, 'NODE-config', { data: { theirs: '1' } }],
  [KINDS.configMap, 'NODE-limiter', { data: { theirs: '1' } }],
  [KINDS.serviceAccount, 'NODE', {}],
  [KINDS.podDisruptionBudget, 'NODE', { spec: { maxUnavailable: 1 } }],
  [KINDS.networkPolicy, 'NODE', { spec: { podSelector: { matchLabels: LABELS } } }],
  [KINDS.statefulSet, 'NODE', { spec: { serviceName: 'x', selector: { matchLabels: LABELS }, template } }],
  [KINDS.secret, 'NODE-node-key', { stringData: { 'node_key.json': 'hunter2-S3cret' } }],
];

/** As watches of objects with the operator's labels have it: nothing of anybody else's. */
const BLIND: CachedObjects = { isWatched: () => true, get: () => undefined };

describe(
  'an object of somebody else by a name that a node needs',
  leftOutIf('operator and objects of others', missingApiServer()),
  () => {
    let server: ApiServer;
    let made = 0;
    beforeAll(async () => {
      server = await openApiServer();
      await server.client.create(NAMESPACES, { metadata: { name: namespace } } as never);
    });
    afterAll(() => server?.close());

    const create = async (kind: ResourceKind, name: string, fields: object): Promise<KubeObject> =>
      await server.client.create(kind, { metadata: { namespace, name, labels: LABELS }, ...fields } as never);
    const createNode = async (name: string, over: object = {}): Promise<void> => {
      await server.client.create(CHAIN_NODE, {
        apiVersion: API_VERSION,
        kind: NODE_KIND,
        metadata: { namespace, name },
        spec: {
          chain: { id: 'c' },
          image: 'chain-node:6.5.0',
          storage: { size: '1Gi' },
          deletionPolicy: 'Delete',
          ...over,
        },
      } as never);
    };
    const stalled = (node: ChainNode | undefined) =>
      node?.status?.conditions?.find(({ type }) => type === 'Stalled');

    it.each(FOREIGN.flatMap((foreign) => [true, false].map((isWatched) => ({ foreign, isWatched }))))(
      '$foreign.0.kind $foreign.1 stays as it is, and the condition names it (watched: $isWatched)',
      async ({ foreign: [{ kind, ...rest }, pattern, fields], isWatched }) => {
        const node = `n${made++}`;
        const name = pattern.replace('NODE', node);
        const theirs = await create({ kind, ...rest }, name, fields);
        await createNode(node);
        const told: string[] = [];
        const controller = nodeController({
          client: server.client,
          ...(isWatched && { cached: BLIND }),
          tell: (_, { note }) => told.push(note),
        });
        await controller.reconcile({ namespace, name: node });
        await controller.reconcile({ namespace, name: node });
        const seen = stalled(await server.client.get(CHAIN_NODE, { namespace, name: node }));
        expect(seen).toMatchObject({ status: 'True', reason: 'NameTaken' });
        expect(seen?.message).toContain(`${kind} "${name}" is there and belongs to nobody`);
        expect(JSON.stringify([seen, told])).not.toContain('hunter2');
        await server.client.delete(CHAIN_NODE, { namespace, name: node });
        await controller.reconcile({ namespace, name: node });
        expect(await server.client.get(CHAIN_NODE, { namespace, name: node })).toBe(undefined);
        const left = await server.client.get({ kind, ...rest }, { namespace, name });
        expect(left?.metadata).toEqual(theirs.metadata);
      },
    );

    it('a fleet leaves a Service of its name, says so, and makes its nodes', async () => {
      const theirs = await create(KINDS.service, 'fleet', {
        spec: { selector: LABELS, ports: [{ port: 80 }] },
      });
      const template = { chain: { id: 'c' }, image: 'chain-node:6.5.0', storage: { size: '1Gi' } };
      const spec = { replicas: 1, template: { spec: template } };
      await server.client.create(CHAIN_NODE_FLEET, { metadata: { namespace, name: 'fleet' }, spec } as never);
      const ref = { namespace, name: 'fleet' };
      await fleetController(server.client).reconcile(ref);
      const { status } = (await server.client.get(CHAIN_NODE_FLEET, ref))!;
      const stopped = status?.conditions?.find(({ type }) => type === 'Stalled');
      expect(stopped).toMatchObject({ status: 'True', reason: 'NameTaken' });
      expect((await server.client.get(KINDS.service, ref))?.metadata).toEqual(theirs.metadata);
      expect(await server.client.get(CHAIN_NODE, { namespace, name: 'fleet-0' })).toBeDefined();
    });

    it('a claim that was there is used, and is not deleted with the node', async () => {
      const claim = {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      };
      await create(KINDS.persistentVolumeClaim, 'data-adopts', claim);
      await createNode('adopts');
      const controller = nodeController({ client: server.client });
      await controller.reconcile({ namespace, name: 'adopts' });
      await server.client.delete(CHAIN_NODE, { namespace, name: 'adopts' });
      await controller.reconcile({ namespace, name: 'adopts' });
      const left = await server.client.get(KINDS.persistentVolumeClaim, { namespace, name: 'data-adopts' });
      expect(left?.metadata?.deletionTimestamp).toBe(undefined);
    });

    it('the objects of the node itself are made, kept, and taken up by the next node of the name', async () => {
      await createNode('own', { deletionPolicy: 'Retain' });
      const controller = nodeController({ client: server.client });
      const ref = { namespace, name: 'own' };
      await controller.reconcile(ref);
      expect(stalled(await server.client.get(CHAIN_NODE, ref))).toMatchObject({ status: 'False' });
      const [service, key] = [
        await server.client.get(KINDS.service, ref),
        await server.client.get(KINDS.secret, { namespace, name: 'own-node-key' }),
      ];
      // The others keep the node that is gone as their owner: there is no garbage collector here.
      await server.client.patch(KINDS.service, ref, { metadata: { ownerReferences: null } });
      await server.client.delete(CHAIN_NODE, ref);
      await controller.reconcile(ref);
      await createNode('own');
      await controller.reconcile(ref);
      const node = await server.client.get(CHAIN_NODE, ref);
      expect(stalled(node)).toMatchObject({ status: 'False' });
      const ownerReferences = [{ uid: node?.metadata.uid }];
      const again = await server.client.get(KINDS.service, ref);
      expect(again?.metadata).toMatchObject({ uid: service?.metadata?.uid, ownerReferences });
      expect((await server.client.get(KINDS.statefulSet, ref))?.metadata).toMatchObject({ ownerReferences });
      expect(await server.client.get(KINDS.secret, { namespace, name: 'own-node-key' })).toEqual(key);
    });
  },
);
