import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainNode } from '../../operator/src/api/index.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { nodeController } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';

const namespace = 'apart';
const MANAGED = { 'app.kubernetes.io/managed-by': 'chain-operator' };
const LAYOUT = { backend: 'pebbledb', evmSplit: false };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

describe('of nodes', leftOutIf('claims and node keys', missingApiServer()), () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await openApiServer();
    await server.client.create(NAMESPACES, { metadata: { name: namespace } } as never);
  });
  afterAll(() => server?.close());

  const refOf = (name: string) => ({ namespace, name });
  const create = async (name: string, source?: object, more?: object): Promise<void> => {
    const storage = { size: '1Gi', ...(source && { source }) };
    await server.client.create(CHAIN_NODE, {
      metadata: refOf(name),
      spec: { chain: { id: 'c' }, image: 'chain-node:6.5.0', storage, ...more },
    } as never);
  };
  const pass = (name: string) => nodeController({ client: server.client }).reconcile(refOf(name));
  const seen = async (name: string) => (await server.client.get(CHAIN_NODE, refOf(name))) as ChainNode;
  const stalled = async (name: string) =>
    (await seen(name)).status?.conditions?.find(({ type }) => type === 'Stalled');
  const secret = (name: string) => server.client.get(KINDS.secret, refOf(name));
  const claim = (name: string) => server.client.get(KINDS.persistentVolumeClaim, refOf(name));

  it('one uses a claim that several name, and the next when that one and its pod are gone', async () => {
    await server.client.create(KINDS.persistentVolumeClaim, {
      metadata: refOf('shared'),
      spec: claimSpec,
    } as never);
    const existingClaim = { existingClaim: { name: 'shared' } };
    for (const name of ['first', 'second']) await create(name, existingClaim);
    await pass('first');
    await pass('second');
    expect(await stalled('first')).toMatchObject({ status: 'False' });
    expect(await stalled('second')).toMatchObject({ status: 'True', reason: 'VolumeInUse' });
    expect((await stalled('second'))?.message).toContain(`kubectl -n ${namespace} delete cn first`);
    expect(await server.client.get(KINDS.statefulSet, refOf('second'))).toBe(undefined);
    await server.client.create(KINDS.pod, {
      metadata: refOf('first-0'),
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'shared' } }],
      },
    } as never);
    await server.client.delete(CHAIN_NODE, refOf('first'));
    await pass('first');
    await pass('second');
    expect(await stalled('second')).toMatchObject({ reason: 'VolumeInUse' });
    await server.client.delete(KINDS.pod, refOf('first-0'));
    await pass('second');
    expect(await stalled('second')).toMatchObject({ status: 'False' });
  });

  it('the volume of one is not taken by another that names it', async () => {
    await create('owner');
    await pass('owner');
    await create('thief', { existingClaim: { name: 'data-owner' } });
    await pass('thief');
    expect(await stalled('thief')).toMatchObject({ reason: 'VolumeInUse' });
    await pass('owner');
    expect(await stalled('owner')).toMatchObject({ status: 'False' });
  });

  it('a lost node key is not replaced in silence, also where the status is gone', async () => {
    await create('lost');
    await pass('lost');
    const before = await secret('lost-node-key');
    const id = (await seen('lost')).status?.nodeId;
    await server.client.delete(KINDS.secret, refOf('lost-node-key'));
    await pass('lost');
    const { reason, message } = (await stalled('lost'))!;
    expect(reason).toBe('KeyLost');
    expect(message).toContain(`its id ${id}`);
    expect(message).toContain('exec lost-0 -c node -- cat /var/lib/chain/config/node_key.json');
    expect(await secret('lost-node-key')).toBe(undefined);
    await server.client.delete(CHAIN_NODE, refOf('lost'));
    await pass('lost');
    await create('lost');
    await pass('lost');
    expect((await stalled('lost'))?.message).toContain(`its id ${id}`);
    // What the message says, for one: the same key again.
    await server.client.create(KINDS.secret, {
      metadata: { ...refOf('lost-node-key'), labels: { ...MANAGED, 'chain.dev/node': 'lost' } },
      data: before?.data,
    } as never);
    await pass('lost');
    expect(await stalled('lost')).toMatchObject({ status: 'False' });
    expect((await claim('data-lost'))?.metadata?.annotations?.['chain.dev/node-id']).toBe(id);
  });

  it('one has a key of its own while the volume of the one before it of that name is being deleted', async () => {
    const policy = { deletionPolicy: 'Delete' };
    await create('brief', undefined, policy);
    await pass('brief');
    const id = (await seen('brief')).status?.nodeId;
    await server.client.delete(CHAIN_NODE, refOf('brief'));
    await pass('brief');
    expect(await secret('brief-node-key')).toBe(undefined);
    // There is no controller here that lets a volume go.
    expect((await claim('data-brief'))?.metadata?.deletionTimestamp).toBeDefined();
    await create('brief', undefined, policy);
    await pass('brief');
    expect(await stalled('brief')).toMatchObject({ status: 'False' });
    expect((await seen('brief')).status?.nodeId).not.toBe(id);
  });

  it('a lost node key comes back from the backup of a migration, and only the right one', async () => {
    await create('kept');
    await pass('kept');
    const key = (await secret('kept-node-key'))!;
    const id = (await seen('kept')).status?.nodeId;
    const labels = { ...MANAGED, 'chain.dev/backup-of': 'kept' };
    await server.client.create(KINDS.secret, {
      metadata: { ...refOf('kept-x-keys'), labels },
      data: key.data,
    } as never);
    await create('stranger');
    await pass('stranger');
    const other = (await secret('stranger-node-key'))!;
    await server.client.create(KINDS.secret, {
      metadata: { ...refOf('kept-w-keys'), labels },
      data: other.data,
    } as never);
    const at = '2026-01-01T00:00:00Z';
    await server.client.patchStatus(CHAIN_NODE, await seen('kept'), {
      migration: {
        id: 'x',
        kind: 'StateSync',
        forGeneration: 1,
        attempt: 1,
        phase: 'Succeeded',
        startedAt: at,
        phaseStartedAt: at,
        finishedAt: at,
        message: 'done',
        before: LAYOUT,
        target: LAYOUT,
        backup: { secretName: 'kept-w-keys' },
        earlierKeys: [{ secretName: 'kept-x-keys', endedAt: at }],
      },
    });
    await server.client.delete(KINDS.secret, refOf('kept-node-key'));
    await pass('kept');
    expect(await stalled('kept')).toMatchObject({ status: 'False' });
    const again = await secret('kept-node-key');
    expect(again?.data).toEqual(key.data);
    expect((await seen('kept')).status?.nodeId).toBe(id);
  });

  it('an id is given up when somebody says so, by that id alone', async () => {
    await create('given');
    await pass('given');
    const id = (await seen('given')).status?.nodeId ?? '';
    await server.client.delete(KINDS.secret, refOf('given-node-key'));
    const wrong = createHash('sha256').update(id).digest('hex').slice(0, 40);
    for (const [said, isMade] of [
      [wrong, false],
      [id, true],
    ] as const) {
      await server.client.patchMetadata(CHAIN_NODE, refOf('given'), {
        annotations: { 'chain.dev/new-node-key': said },
      });
      await pass('given');
      expect((await secret('given-node-key')) !== undefined).toBe(isMade);
    }
    expect(await stalled('given')).toMatchObject({ status: 'False' });
  });
});
