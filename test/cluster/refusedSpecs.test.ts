import { isCodedError } from '@chain/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAIN_NODE, CHAIN_NODE_FLEET } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { leftOutIf } from '../support/required.ts';

type Part = { readonly [name: string]: unknown };

const namespace = 'specs';
const MINIMAL: Part = { chain: { id: 'c' }, image: 'chain-node:6.5.0', storage: { size: '1Ti' } };
const memory = (value: unknown): Part => ({ resources: { limits: { memory: value } } });
const timeouts = (sync: string): Part => ({ migration: { timeouts: { sync } } });
const secretRef = (name: string, key = 'k'): Part => ({ nodeKey: { secretRef: { name, key } } });
const NO_AMOUNT = 'write one such as 500m or 4Gi';
const NO_SIZE = 'is no size of a volume';

describe('a spec that can never work', leftOutIf('refused specs', missingApiServer()), () => {
  let server: ApiServer;
  let made = 0;
  beforeAll(async () => {
    server = await openApiServer();
    await server.client.create(NAMESPACES, { metadata: { name: namespace } } as never);
  });
  afterAll(() => server?.close());

  async function said(create: Promise<unknown>): Promise<string> {
    try {
      await create;
    } catch (error) {
      if (isCodedError(error, 'KUBE_REFUSED')) return error.message;
      throw error;
    }
    return 'accepted';
  }
  const create = (over: Part, name = `n${made++}`): Promise<string> =>
    said(
      server.client.create(CHAIN_NODE, {
        metadata: { namespace, name },
        spec: { ...MINIMAL, ...over },
      } as never),
    );
  const createFleet = (spec: Part, name = `f${made++}`): Promise<string> =>
    said(server.client.create(CHAIN_NODE_FLEET, { metadata: { namespace, name }, spec } as never));

  it.each<[string, Part, string]>([
    ...['lots', '-1Gi', '4 Gi', '4GiB', '0', '', -1, 0].map((value): [string, Part, string] => [
      `a limit of ${JSON.stringify(value)}`,
      memory(value),
      NO_AMOUNT,
    ]),
    ['a promise below nothing', { resources: { requests: { cpu: '-500m' } } }, NO_AMOUNT],
    ['a limit of the limiter', { proxy: { resources: { limits: { cpu: 'much' } } } }, NO_AMOUNT],
    ['a resource that is none', { resources: { limits: { memroy: '1Gi' } } }, 'cpu, memory'],
    ...['-1Gi', '0', '1023', '500m', 'big'].map((size): [string, Part, string] => [
      `a volume of ${size}`,
      { storage: { size } },
      NO_SIZE,
    ]),
    ['a volume that may grow to nothing', { storage: { size: '1Ti', autoGrow: { max: '0' } } }, NO_SIZE],
    ...['12 hours', '-1s', '1d', '12', '99999999999h'].map((sync): [string, Part, string] => [
      `a time of ${sync}`,
      timeouts(sync),
      'timeouts.sync',
    ]),
    ['a time that is over at once', timeouts('0s'), 'must be longer than nothing'],
    ['no wait between attempts', { migration: { retry: { backoffMin: '0ms' } } }, 'longer than nothing'],
    ['scrapes without end', { monitoring: { podMonitor: { interval: '0s' } } }, 'longer than nothing'],
    ...['Key', 'a/b', '-a', 'a..b', '../x', 'a_b'].map((name): [string, Part, string] => [
      `a Secret called ${name}`,
      secretRef(name),
      'nodeKey.secretRef.name',
    ]),
    ['an entry of a Secret that cannot be', secretRef('a', 'x/y'), 'nodeKey.secretRef.key'],
    ['a claim of no name', { storage: { size: '1Ti', source: { pvc: { name: 'A' } } } }, 'source.pvc.name'],
    [
      'a storage class of no name',
      { storage: { size: '1Ti', storageClassName: 'Fast!' } },
      'storageClassName',
    ],
    ['a priority of no name', { scheduling: { priorityClassName: 'High' } }, 'priorityClassName'],
    ["a volume of the operator's", { podTemplate: { extraVolumes: [{ name: 'sign-floor' }] } }, "operator's"],
    [
      'the copy of a validator with its key',
      { role: 'validator', storage: { size: '1Ti', source: { pvc: { name: 'a' } } } },
      'name validatorKey',
    ],
  ])('is refused, and why is said: %s', async (_, over, why) => {
    expect(await create(over)).toContain(why);
  });

  it.each<[string, Part]>([
    ['numbers', { resources: { requests: { cpu: 2, memory: '1e9' }, limits: { memory: '4Gi' } } }],
    ['nothing promised', { resources: { requests: { cpu: 0 }, limits: { cpu: '1.5' } } }],
    ['a resource of a vendor', { resources: { limits: { 'example.com/fpga': 1, 'hugepages-2Mi': '64Mi' } } }],
    ['a time of several parts', timeouts('1h30m')],
    ['no time to stop', { podTemplate: { terminationGracePeriod: '0s' } }],
    ['names with dots', secretRef('a.b-c.d', 'priv_key.json')],
  ])('is not one with %s', async (_, over) => {
    expect(await create(over)).toBe('accepted');
  });

  it.each(['1node', 'a.b', 'n'.repeat(51)])(
    'is refused by the name of a node or a fleet: %s',
    async (name) => {
      const template = { spec: MINIMAL };
      expect(await create({}, name)).toContain('the name must');
      expect(await createFleet({ template }, name)).toContain('the name must');
    },
  );

  it.each<[string, Part, string]>([
    ['fewer than no nodes', { replicas: -1 }, 'replicas'],
    ['more than a thousand', { replicas: 1_001 }, 'replicas'],
    ['a limit of nodes', { template: { spec: { ...MINIMAL, ...memory('lots') } } }, NO_AMOUNT],
  ])('is refused in a fleet, too: %s', async (_, over, why) => {
    expect(await createFleet({ template: { spec: MINIMAL }, ...over })).toContain(why);
  });
});
