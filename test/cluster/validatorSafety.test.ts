import { isCodedError } from '@chain/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { SIGNERS } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';
import { madeKey, Validators } from '../support/validators.ts';

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

describe('one validator key', leftOutIf('validator safety', missingApiServer()), () => {
  let server: ApiServer;
  let here: Validators;
  let key: ReturnType<typeof madeKey>;
  let made = 0;
  beforeAll(async () => {
    server = await openApiServer();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    key = madeKey();
    here = await namespace();
    await here.secret('key', key.json);
  });

  async function namespace(): Promise<Validators> {
    const name = `keys-${made++}`;
    await server.client.create(NAMESPACES, { metadata: { name } } as never);
    return new Validators(server.client, name);
  }
  const leaseRef = () => ({ namespace: SIGNERS.namespace, name: `${SIGNERS.name}-signer-${key.address}` });
  const lease = () => server.client.get(KINDS.lease, leaseRef());
  const signed = (height: number) => ({ address: key.address, height, round: 0, step: 3 });
  const refOf = (name: string, at = here) => ({ namespace: at.namespace, name });
  const patch = (name: string, spec: object) => server.client.patch(CHAIN_NODE, refOf(name), { spec });
  const drop = async (name: string) => {
    await server.client.delete(CHAIN_NODE, refOf(name));
    await here.pass(name);
    expect(await server.client.get(CHAIN_NODE, refOf(name))).toBe(undefined);
  };
  /** One that runs, and has signed. */
  const running = async (name = 'a', height = 500) => {
    await here.create(name, 'key');
    await here.settle(name);
    await here.pass(name, signed(height));
    expect(await here.runs(name)).toBe(true);
  };

  it('of one Secret runs once; the second is Stalled, and is told what to type', async () => {
    await running();
    await here.create('b', 'key');
    await here.settle('b', 'a', 'b');
    expect(await here.set('b')).toBe(undefined);
    const { status, reason, message } = await here.stalled('b');
    expect([status, reason]).toEqual(['True', 'KeyInUse']);
    expect(message).toContain(`kubectl -n ${here.namespace} patch cn a --type merge`);
    expect(message).not.toContain(JSON.parse(key.json).priv_key.value);
    expect(await here.stalled('a')).toMatchObject({ status: 'False' });
    expect((await lease())?.spec?.holderIdentity).toBe(`${here.namespace}/a`);
  });

  it('of two Secrets in two namespaces runs once', async () => {
    await running();
    const there = await namespace();
    await there.secret('copy', JSON.stringify(JSON.parse(key.json), null, 2));
    await there.create('b', 'copy');
    await there.settle('b');
    expect(await there.stalled('b')).toMatchObject({ reason: 'KeyInUse' });
    expect(await there.runs('b')).toBe(false);
  });

  it('runs once when many want it in the same moment', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    await Promise.all(names.map((name) => here.create(name, 'key')));
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        names.map((name) =>
          here.pass(name).catch((error) => {
            if (!isCodedError(error, 'KUBE_CONFLICT') && !isCodedError(error, 'KUBE_EXISTS')) throw error;
          }),
        ),
      );
    }
    const sets = await Promise.all(names.map((name) => here.set(name)));
    expect(sets.filter((set) => set?.spec?.replicas === 1)).toHaveLength(1);
  });

  it('is not free while the pod of a node that is deleted, or sleeps, is there', async () => {
    await running();
    await here.create('b', 'key');
    await patch('a', { hibernate: true });
    await here.pass('a');
    await here.pass('b');
    expect(await here.stalled('b')).toMatchObject({ reason: 'KeyInUse' });
    await drop('a');
    await here.pass('b');
    const { message } = await here.stalled('b');
    expect(message).toContain(`kubectl -n ${here.namespace} delete statefulset,pod -l chain.dev/node=a`);
    await server.client.delete(KINDS.statefulSet, refOf('a'));
    await here.pass('b');
    expect(await here.stalled('b')).toMatchObject({ reason: 'KeyInUse' });
    await server.client.delete(KINDS.pod, refOf('a-0'));
    await here.pass('b');
    // Nobody has it any more; what it has signed is on the volume of a.
    expect(await here.stalled('b')).toMatchObject({ reason: 'SignStateAtRisk' });
  });

  it('goes to the next node when the first sleeps, and the first stays down when it wakes', async () => {
    await running();
    await patch('a', { hibernate: true });
    await here.settle('a');
    await here.pass('a');
    expect((await lease())?.spec?.holderIdentity).toBe('');
    await here.create('b', 'key');
    await here.settle('b');
    const { reason, message } = await here.stalled('b');
    expect(reason).toBe('SignStateAtRisk');
    const [, from] = /annotate cn b chain\.dev\/sign-from=(\d+)/.exec(message) ?? [];
    expect(Number(from)).toBeGreaterThan(600);
    await server.client.patchMetadata(CHAIN_NODE, refOf('b'), {
      annotations: { 'chain.dev/sign-from': from! },
    });
    await here.settle('b');
    expect(await here.runs('b')).toBe(true);
    const floor = await server.client.get(KINDS.configMap, refOf('b-sign-floor'));
    expect(JSON.parse(floor?.data?.['sign_floor.json'] ?? '')).toMatchObject({
      address: key.address,
      height: Number(from),
      raise: true,
    });
    await patch('a', { hibernate: false });
    await here.settle('a');
    expect(await here.stalled('a')).toMatchObject({ reason: 'KeyInUse' });
    expect(await here.runs('a')).toBe(false);
  });

  it.each([
    ['an empty one', {}],
    ['a snapshot', { source: { volumeSnapshot: { name: 'old' } } }],
    ['a copy', { source: { pvc: { name: 'old' } } }],
  ])('does not sign from another volume than the one that signed: %s', async (_, storage) => {
    await running();
    await drop('a');
    for (const [kind, name] of [
      [KINDS.statefulSet, 'a'],
      [KINDS.pod, 'a-0'],
    ] as const) {
      await server.client.delete(kind, refOf(name));
    }
    await releaseClaim('data-a');
    await here.create('a', 'key', { storage: { size: '1Gi', ...storage } });
    await here.settle('a');
    const { reason, message } = await here.stalled('a');
    expect(reason).toBe('SignStateAtRisk');
    expect(message).toContain('height 500');
    expect(await server.client.get(KINDS.persistentVolumeClaim, refOf('data-a'))).toBe(undefined);
    await server.client.patchMetadata(CHAIN_NODE, refOf('a'), {
      annotations: { 'chain.dev/sign-from': '550' },
    });
    await here.settle('a');
    expect(await here.stalled('a')).toMatchObject({ reason: 'SignStateAtRisk' });
  });

  it('does not go on when its volume is lost under it, and is kept down', async () => {
    await running();
    await releaseClaim('data-a');
    await server.client.delete(KINDS.pod, refOf('a-0'));
    await here.pass('a');
    expect(await here.stalled('a')).toMatchObject({ reason: 'SignStateAtRisk' });
    expect((await here.set('a'))?.spec?.replicas).toBe(0);
    await server.client.create(KINDS.persistentVolumeClaim, {
      metadata: refOf('data-a'),
      spec: claimSpec,
    } as never);
    await here.settle('a');
    expect(await here.stalled('a')).toMatchObject({ reason: 'SignStateAtRisk' });
    expect(await here.runs('a')).toBe(false);
  });

  it('runs again on its own volume, after a restart, a wipe of the status and a node of the name made anew', async () => {
    await running();
    const volume = await server.client.get(KINDS.persistentVolumeClaim, refOf('data-a'));
    await server.client.delete(KINDS.pod, refOf('a-0'));
    await here.settle('a');
    expect(await here.runs('a')).toBe(true);
    await drop('a');
    await server.client.delete(KINDS.statefulSet, refOf('a'));
    await server.client.delete(KINDS.pod, refOf('a-0'));
    await here.create('a', 'key');
    await here.settle('a');
    expect(await here.runs('a')).toBe(true);
    expect(await here.stalled('a')).toMatchObject({ status: 'False' });
    const floor = await server.client.get(KINDS.configMap, refOf('a-sign-floor'));
    expect(JSON.parse(floor?.data?.['sign_floor.json'] ?? '')).toMatchObject({ height: 500, raise: false });
    expect((await server.client.get(KINDS.persistentVolumeClaim, refOf('data-a')))?.metadata?.uid).toBe(
      volume?.metadata?.uid,
    );
  });

  it('is not changed by another one in the Secret', async () => {
    await running();
    await here.secret('key', madeKey().json);
    await server.client.delete(KINDS.pod, refOf('a-0'));
    await here.pass('a');
    const { reason, message } = await here.stalled('a');
    expect(reason).toBe('KeyChanged');
    expect(message).toContain(key.address);
    expect((await lease())?.spec?.holderIdentity).toBe(`${here.namespace}/a`);
  });

  it('is not run beside a pod of somebody else that has the Secret', async () => {
    const pod = {
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [{ name: 'K', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } }],
        },
      ],
    };
    await server.client.create(KINDS.pod, { metadata: refOf('other'), spec: pod } as never);
    await here.create('a', 'key');
    await here.settle('a');
    const { reason, message } = await here.stalled('a');
    expect(reason).toBe('KeyInUse');
    expect(message).toContain('delete pod other');
    await server.client.delete(KINDS.pod, refOf('other'));
    await here.settle('a');
    expect(await here.runs('a')).toBe(true);
  });

  it('of a Lease that somebody deletes, or gives to another, stays with one node', async () => {
    await running();
    await here.create('b', 'key');
    await server.client.delete(KINDS.lease, leaseRef());
    await here.pass('a', signed(510));
    expect((await lease())?.spec?.holderIdentity).toBe(`${here.namespace}/a`);
    await server.client.patch(KINDS.lease, leaseRef(), {
      spec: { holderIdentity: `${here.namespace}/b` },
    });
    await here.pass('a');
    // Both may sign now: the one that does not hold it is taken down.
    expect(await here.stalled('a')).toMatchObject({ reason: 'KeyInUse' });
    expect((await here.set('a'))?.spec?.replicas).toBe(0);
  });

  it('of two nodes that ran with it before they were looked after, one is taken down', async () => {
    await running('a');
    const set = (await here.set('a'))!;
    await here.create('b', 'key', { hibernate: true });
    await here.settle('b');
    await here.startPod('b', set);
    await patch('b', { hibernate: false });
    await server.client.patch(KINDS.statefulSet, refOf('b'), { spec: { replicas: 1 } });
    await here.pass('b');
    expect(await here.stalled('b')).toMatchObject({ reason: 'KeyInUse' });
    expect((await here.set('b'))?.spec?.replicas).toBe(0);
  });

  it('of a chain is remembered beside that of another chain, and never goes back', async () => {
    await running();
    await here.pass('a', signed(400));
    const marks = async () =>
      JSON.parse((await lease())?.metadata?.annotations?.['chain.dev/signed'] ?? '{}');
    expect((await marks())['keys-1'].height).toBe(500);
    await patch('a', { hibernate: true });
    await here.settle('a');
    await here.pass('a');
    await here.create('b', 'key', { chain: { id: 'keys-2' } });
    await here.settle('b');
    await here.pass('b', signed(7));
    expect(await here.runs('b')).toBe(true);
    expect(await marks()).toMatchObject({ 'keys-1': { height: 500 }, 'keys-2': { height: 7 } });
  });

  async function releaseClaim(name: string): Promise<void> {
    // Nobody takes the protection off here.
    const ref = refOf(name);
    await server.client.patchMetadata(KINDS.persistentVolumeClaim, ref, { finalizers: [] });
    await server.client.delete(KINDS.persistentVolumeClaim, ref);
  }
});
