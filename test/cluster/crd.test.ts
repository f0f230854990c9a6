import { isCodedError } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  API_VERSION,
  type ChainNode,
  type ChainNodeFleet,
  FLEET_KIND,
  fleetSpecOf,
  NODE_KIND,
  nodeSpecOf,
} from '../../operator/src/api/index.ts';
import {
  loadCredentials,
  type OpenedClient,
  openKubeClient,
  resourceKind,
} from '../../operator/src/kube/index.ts';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { starterKubeconfig } from '../support/clusterStarter.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { leftOutIf } from '../support/required.ts';

const NODE = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const FLEET = resourceKind<ChainNodeFleet>(API_VERSION, FLEET_KIND);
const namespace = `crd-test-${process.pid}`;
const AT = '2026-01-01T00:00:00Z';

/** A part of a spec, down to any depth. */
type Part = { readonly [name: string]: unknown };

const MINIMAL: Part = {
  chain: { id: 'testnet-1' },
  image: 'chain-node:6.5.0',
  storage: { size: '1Ti' },
  hibernate: true,
};
const TRUST: Part = { rpcServers: ['https://a.example.org', 'https://b.example.org'] };

const DEFINITIONS = ['chainnodes', 'chainnodefleets', 'chaindisruptionbudgets'].map(
  (plural) => `crd/${plural}.chain.dev`,
);

describe('definitions of ChainNode and ChainNodeFleet', leftOutIf('test:cluster', missingCluster()), () => {
  let cluster: Cluster;
  let connection: OpenedClient;
  let made = 0;

  beforeAll(async () => {
    cluster = await openCluster();
    await cluster.kubectl('apply', '--server-side', '--force-conflicts', '-k', 'k8s/crd');
    await cluster.kubectl('wait', '--for=condition=Established', '--timeout=60s', ...DEFINITIONS);
    connection = openKubeClient({
      credentials: loadCredentials(starterKubeconfig()),
      metrics: createMetricsRegistry(),
    });
    await connection.client.create(NAMESPACES, { metadata: { name: namespace } });
  });
  afterAll(async () => {
    await connection?.client.delete(NAMESPACES, { name: namespace });
    connection?.close();
    await cluster?.close();
  });

  const apply = (spec: Part, name: string): Promise<ChainNode> =>
    connection.client.apply(NODE, { metadata: { namespace, name }, spec } as never, {
      fieldManager: 'test',
    });
  const create = (extra: Part): Promise<ChainNode> => apply({ ...MINIMAL, ...extra }, `n${made++}`);
  const refusal = async (tried: Promise<unknown>): Promise<string> => {
    try {
      await tried;
    } catch (error) {
      if (isCodedError(error, 'KUBE_REFUSED')) return error.message;
      throw error;
    }
    return 'accepted';
  };

  it('give the defaults that the code gives', async () => {
    const { spec } = await create({});
    expect(spec).toEqual(nodeSpecOf(MINIMAL as never));
    const template = { spec: MINIMAL };
    const given = { template, overrides: [{ ordinal: 1, patch: { resources: {} } }] };
    const part = { metadata: { namespace, name: 'f' }, spec: given } as never;
    const fleet = await connection.client.apply(FLEET, part, { fieldManager: 'test' });
    expect(fleet.spec).toEqual(fleetSpecOf(given as never));
  });

  it.each<[string, Part]>([
    ['the split with trusted servers', { stateStore: { evmSplit: true }, stateSync: { trust: TRUST } }],
    [
      'one trusted server when one is enough',
      { stateSync: { trust: { rpcServers: ['http://a:26657'], minAgreeing: 1 } } },
    ],
    ['a validator with its key', { role: 'validator', validatorKey: { secretRef: { name: 'k' } } }],
    [
      'a genesis with its digest',
      { chain: { id: 'a', genesis: { url: { url: 'https://x.org/g', sha256: 'a'.repeat(64) } } } },
    ],
    ['a peer by an IPv6 address', { peers: { static: [`${'a'.repeat(40)}@[::1]:26656`] } }],
    ...['20%', '100%', '50Gi'].map((increase): [string, Part] => [
      `growth by ${increase}`,
      { storage: { size: '1Ti', autoGrow: { increase, max: '2Ti' } } },
    ]),
    ['a key of its own', { nodeKey: { secretRef: { name: 'k' } } }],
  ])('take %s', async (_, extra) => {
    expect(await refusal(create(extra))).toBe('accepted');
  });

  it.each<[string, Part, string]>([
    [
      'the split of a validator',
      { role: 'validator', stateStore: { evmSplit: true }, stateSync: { trust: TRUST } },
      'for role rpc only',
    ],
    [
      'the split without trusted servers',
      { stateStore: { evmSplit: true } },
      'wants stateSync.trust.rpcServers',
    ],
    [
      'a state sync without trusted servers',
      { stateSync: { onInit: true } },
      'wants stateSync.trust.rpcServers',
    ],
    [
      'fewer servers than must agree',
      { stateSync: { trust: { rpcServers: ['https://a.org'] } } },
      'fewer rpcServers than minAgreeing',
    ],
    [
      'a server without a scheme',
      { stateSync: { trust: { rpcServers: ['a:26657', 'https://b.org'] } } },
      'write http://host:26657',
    ],
    [
      'a server without a host',
      { stateSync: { trust: { rpcServers: ['https://', 'https://b.org'] } } },
      'write http://host:26657',
    ],
    [
      'one server twice',
      { stateSync: { trust: { rpcServers: ['https://b.org', 'https://b.org'] } } },
      'duplicate',
    ],
    [
      'two places for the genesis',
      { chain: { id: 'a', genesis: { embedded: {}, configMapRef: { name: 'x' } } } },
      'exactly one of',
    ],
    ['a genesis of nowhere', { chain: { id: 'a', genesis: {} } }, 'exactly one of'],
    [
      'a genesis without its digest',
      { chain: { id: 'a', genesis: { url: { url: 'https://x.org/g' } } } },
      'sha256',
    ],
    ['paused and hibernated at once', { paused: true }, 'at most one of paused, hibernate, fenced'],
    ['a size that is none', { storage: { size: '2 TB' } }, 'is no size of a volume'],
    ...['0%', '0Gi', '-1Gi', 'much'].map((increase): [string, Part, string] => [
      `growth by ${increase}`,
      { storage: { size: '1Ti', autoGrow: { increase, max: '2Ti' } } },
      'neither a quantity above zero nor a percentage',
    ]),
    ['no size', { storage: {} }, 'storage.size'],
    ['a directory outside the home', { stateStore: { directory: '../other' } }, 'must lie within chain.home'],
    [
      "a container of the operator's name",
      { podTemplate: { extraContainers: [{ name: 'node' }] } },
      "the operator's",
    ],
    [
      "a volume of the operator's name",
      { podTemplate: { extraVolumes: [{ name: 'data' }] } },
      "the operator's",
    ],
    ['a peer without an id', { peers: { static: ['host:26656'] } }, 'peers.static'],
    ['a time that is none', { migration: { timeouts: { sync: '12 hours' } } }, 'timeouts.sync'],
    ['a role that nobody knows', { role: 'sentry' }, 'Unsupported value'],
    [
      "a validator's key of an RPC node",
      { validatorKey: { secretRef: { name: 'k' } } },
      'for role validator only',
    ],
    ['a field that is not there', { imagee: 'x' }, 'imagee'],
  ])('refuse %s, and say why', async (_, extra, why) => {
    expect(await refusal(create(extra))).toContain(why);
  });

  it('refuse names that leave no room for those of its objects', async () => {
    expect(await refusal(apply(MINIMAL, 'n'.repeat(51)))).toContain('at most 50 characters');
  });

  it.each<[string, Part, string]>([
    ['chain.id', { chain: { id: 'other' } }, 'chain.id cannot be changed'],
    ['chain.home', { chain: { id: 'testnet-1', home: '/x' } }, 'chain.home cannot be changed'],
    ['role', { role: 'archive' }, 'role cannot be changed'],
  ])('refuse a change of %s', async (_, extra, why) => {
    const { metadata } = await create({});
    expect(await refusal(apply({ ...MINIMAL, ...extra }, metadata.name))).toContain(why);
  });

  it('take the same size written otherwise, and a larger one', async () => {
    const { metadata } = await create({});
    expect(await refusal(apply({ ...MINIMAL, storage: { size: '1024Gi' } }, metadata.name))).toBe('accepted');
    expect(await refusal(apply({ ...MINIMAL, storage: { size: '2Ti' } }, metadata.name))).toBe('accepted');
  });

  it('freeze image and storage past the point of no return, until the migration is held or over', async () => {
    const { client } = connection;
    const node = await create({});
    const { name } = node.metadata;
    const times = { startedAt: AT, phaseStartedAt: AT };
    const migration = { id: 'x', kind: 'EvmSplitEnable', forGeneration: 1, attempt: 1, ...times };
    const wiping = { ...migration, phase: 'Applying', pastPointOfNoReturn: true };
    const at = await client.patchStatus(NODE, node, { migration: wiping });
    const other = { ...MINIMAL, image: 'chain-node:6.6.0' };
    expect(await refusal(apply(other, name))).toContain('past its point of no return');
    expect(await refusal(apply({ ...MINIMAL, storage: { size: '3Ti' } }, name))).toContain(
      'point of no return',
    );
    await client.patchMetadata(NODE, { namespace, name }, { labels: { a: 'b' } });
    const held = await client.get(NODE, { namespace, name });
    expect(at.metadata.uid).toBe(held?.metadata.uid);
    await client.patchStatus(NODE, held!, { migration: { phase: 'Held' } });
    expect(await refusal(apply(other, name))).toBe('accepted');
    const seen = await client.get(NODE, { namespace, name });
    await client.patchStatus(NODE, seen!, { migration: { phase: 'Succeeded' } });
    expect(await refusal(apply({ ...MINIMAL, image: 'chain-node:6.7.0' }, name))).toBe('accepted');
  });

  it('refuse a status of which the operator has not seen the newest', async () => {
    const node = await create({});
    await connection.client.patchStatus(NODE, node, { phase: 'Pending' });
    await expect(connection.client.patchStatus(NODE, node, { phase: 'Running' })).rejects.toMatchObject({
      code: 'KUBE_CONFLICT',
    });
  });

  it('refuse reasons of conditions that nobody knows', async () => {
    const node = await create({});
    const condition = {
      type: 'Ready',
      status: 'True',
      message: '',
      observedGeneration: 1,
      lastTransitionTime: AT,
    };
    const write = (reason: string) =>
      refusal(connection.client.patchStatus(NODE, node, { conditions: [{ ...condition, reason }] }));
    expect(await write('BecauseISaySo')).toContain('Unsupported value');
    expect(await write('Serving')).toBe('accepted');
  });

  it('can be scaled, selected by field, and explained', async () => {
    await cluster.kubectl('-n', namespace, 'scale', 'cnf/f', '--replicas=5');
    expect((await connection.client.get(FLEET, { namespace, name: 'f' }))?.spec.replicas).toBe(5);
    const selected = await connection.client.list(NODE, {
      namespace,
      fieldSelector: 'spec.role=validator',
    });
    expect(selected.map(({ spec }) => spec.role)).toEqual(['validator']);
    expect(await cluster.kubectl('explain', 'cn.spec.stateStore.evmSplit')).toContain('database of its own');
    expect(await cluster.kubectl('-n', namespace, 'get', 'cn')).toMatch(
      /ROLE\s+PHASE\s+HEIGHT\s+SEEN\s+SYNCED\s+SPLIT/,
    );
  });
});
