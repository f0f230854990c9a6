import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ConfigMap,
  Informer,
  KINDS,
  LeaderElection,
  loadCredentials,
  type OpenedClient,
  openEventRecorder,
  openKubeClient,
  runtimeMetrics,
} from '../../operator/src/kube/index.ts';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { starterKubeconfig } from '../support/clusterStarter.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { leftOutIf } from '../support/required.ts';

const namespace = `runtime-test-${process.pid}`;
const patient = { timeout: 60_000, interval: 50 };

describe("the operator's runtime on an API server", leftOutIf('test:cluster', missingCluster()), () => {
  let cluster: Cluster;
  let connection: OpenedClient;
  const metrics = createMetricsRegistry();

  beforeAll(async () => {
    cluster = await openCluster();
    connection = openKubeClient({ credentials: loadCredentials(starterKubeconfig()), metrics });
    await connection.client.create(NAMESPACES, { metadata: { name: namespace } });
  });
  afterAll(async () => {
    await connection?.client.delete(NAMESPACES, { name: namespace });
    connection?.close();
    await cluster?.close();
  });

  const candidate = (identity: string) =>
    new LeaderElection(
      { namespace, name: 'lead', identity, leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 100 },
      { client: connection.client, logger: silentLogger },
    );
  const put = (name: string, data: Record<string, string>, fieldManager = 'test', force = true) =>
    connection.client.apply(
      KINDS.configMap,
      { metadata: { namespace, name }, data },
      { fieldManager, force },
    );

  it('lets one of two lead, and the other as soon as the lease is given back', async () => {
    const first = candidate('first');
    const second = candidate('second');
    expect(await first.acquire()).toBe(true);
    const waiting = second.acquire();
    expect([first.isLeading, second.isLeading]).toEqual([true, false]);
    expect(() => second.assertLeading()).toThrow('does not lead');
    await first.close();
    expect(await waiting).toBe(true);
    const lease = await connection.client.get(KINDS.lease, { namespace, name: 'lead' });
    expect(lease?.spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
    await second.close();
  });

  it('tells a leader whose lease was taken that it has lost', async () => {
    const leader = candidate('leader');
    expect(await leader.acquire()).toBe(true);
    await connection.client.patch(
      KINDS.lease,
      { namespace, name: 'lead' },
      { spec: { holderIdentity: 'other' } },
    );
    await leader.lost;
    expect(leader.isLeading).toBe(false);
    await leader.close();
  });

  it('follows what is made, changed and deleted, and only that', async () => {
    const { transport, client } = connection;
    await put('a', { x: '1' });
    const informer = new Informer<ConfigMap>(
      { kind: KINDS.configMap, namespaces: [namespace], labelSelector: '!kube-root' },
      { transport, logger: silentLogger },
    );
    const seen: string[] = [];
    informer.onChange(({ key, object }) => {
      if (!key.endsWith('kube-root-ca.crt')) seen.push(`${key.split('/')[1]} ${object?.data?.x ?? 'gone'}`);
    });
    informer.start();
    await informer.whenSynced();
    await put('a', { x: '2' });
    await put('a', { x: '2' });
    await put('b', { x: '3' });
    await client.delete(KINDS.configMap, { namespace, name: 'a' });
    await vi.waitFor(() => expect(seen).toEqual(['a 1', 'a 2', 'b 3', 'a gone']), patient);
    expect(informer.get(`${namespace}/b`)?.kind).toBe('ConfigMap');
    await informer.close();
  });

  it('owns the fields that it applies, gives up those that it leaves out, and takes none by mistake', async () => {
    const first = await put('fields', { mine: '1', also: '1' });
    expect((await put('fields', { mine: '1', also: '1' })).metadata?.resourceVersion).toBe(
      first.metadata?.resourceVersion,
    );
    expect((await put('fields', { mine: '1' })).data).toEqual({ mine: '1' });
    await expect(put('fields', { mine: '2' }, 'other', false)).rejects.toMatchObject({
      code: 'KUBE_CONFLICT',
    });
    expect((await put('fields', { mine: '2' }, 'other')).data).toEqual({ mine: '2' });
  });

  it('tells refusals from what may be tried again', async () => {
    const { client } = connection;
    const twice = { containers: [{ name: 'c', image: 'i', env: [{ name: 'A' }, { name: 'A' }] }] };
    const pod = { metadata: { namespace, name: 'twice' }, spec: twice };
    await expect(client.apply(KINDS.pod, pod, { fieldManager: 'test' })).rejects.toMatchObject({
      code: 'KUBE_REFUSED',
    });
    await put('once', {});
    await expect(
      client.create(KINDS.configMap, { metadata: { namespace, name: 'once' } }),
    ).rejects.toMatchObject({
      code: 'KUBE_EXISTS',
    });
    expect(await client.delete(KINDS.configMap, { namespace, name: 'once' }, { uid: 'of-another' })).toBe(
      false,
    );
    expect(await client.delete(KINDS.configMap, { namespace, name: 'once' })).toBe(true);
    expect(await client.delete(KINDS.configMap, { namespace, name: 'once' })).toBe(false);
    expect(await client.knows(KINDS.job)).toBe(true);
    expect(await client.knows(KINDS.podMonitor)).toBe(false);
  });

  it('writes an event once, and counts its repeats in it', async () => {
    const { client } = connection;
    const regarding = await put('subject', {});
    let now = 0;
    const recorder = openEventRecorder(
      { controller: 'chain.dev/test', instance: 'test' },
      { client, metrics: runtimeMetrics(metrics), logger: silentLogger, now: () => now },
    );
    const happening = {
      regarding,
      type: 'Normal',
      reason: 'Tested',
      action: 'Test',
      note: 'it was',
    } as const;
    recorder.record(happening);
    await recorder.close();
    recorder.record(happening);
    now = 400_000;
    recorder.record(happening);
    await recorder.close();
    const written = (await client.list(KINDS.event, { namespace })).filter(
      ({ reason }) => reason === 'Tested',
    );
    expect(written.map(({ note, series }) => [note, series?.count])).toEqual([['it was', 3]]);
  });

  it('makes all of its requests over few connections', async () => {
    for (let read = 0; read < 100; read++)
      await connection.client.get(KINDS.configMap, { namespace, name: 'b' });
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');
    expect(sockets.length).toBeLessThanOrEqual(20);
  });
});
