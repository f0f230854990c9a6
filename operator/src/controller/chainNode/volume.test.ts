import { CodedError } from '@chain/platform';
import { beforeEach, describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND, nodeSpecOf } from '../../api/index.ts';
import type { KubeClient, KubeObject, PersistentVolumeClaim } from '../../kube/index.ts';
import { storageVerdict } from './storageVerdict.ts';
import { ensureVolume } from './volume.ts';

const GB = 1 << 30;
const MINUTE_MS = 60_000;
const AUTO = { threshold: 80, increase: '20%', max: '2Ti' };

/** A claim as the API server keeps it, and a driver that grows the volume when it is told to. */
class Storage {
  nowMs = Date.parse('2026-03-01T00:00:00Z');
  claim: PersistentVolumeClaim | undefined;
  refuses = false;
  writes: string[] = [];

  readonly client = {
    clock: { now: () => this.nowMs },
    get: async () => this.claim,
    create: async (kind: never, made: never) => this.client.apply(kind, made, { fieldManager: 'test' }),
    apply: async (_: unknown, { spec }: PersistentVolumeClaim) => {
      const size = (spec!.resources!.requests as { storage: string }).storage;
      if (this.refuses) throw new CodedError('KUBE_FORBIDDEN', 'the class does not allow it');
      this.writes.push(size);
      const had = this.claim?.status?.capacity ?? { storage: size };
      this.claim = { spec, status: { phase: 'Bound', capacity: had } } as unknown as PersistentVolumeClaim;
      return this.claim as KubeObject;
    },
  } as unknown as KubeClient;

  grows(): void {
    const size = this.claim!.spec!.resources!.requests;
    this.claim = {
      ...this.claim,
      status: { phase: 'Bound', capacity: size },
    } as unknown as PersistentVolumeClaim;
  }
}

let storage: Storage;
let node: ChainNode;
beforeEach(() => {
  storage = new Storage();
  node = nodeOf({ size: '1Ti', autoGrow: AUTO });
});

function nodeOf(given: object): ChainNode {
  const metadata = {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  };
  const spec = nodeSpecOf({ chain: { id: 'c' }, image: 'i', storage: given } as never);
  return { apiVersion: API_VERSION, kind: NODE_KIND, metadata, spec };
}

/** One look at a volume that is this full; what it wrote, and the condition. */
async function look(usedPercent: number) {
  const report = { volume: { size: 100 * GB, free: (100 - usedPercent) * GB } };
  const pass = await ensureVolume(storage.client, {
    node,
    desired: { runs: true, serves: true, isProtected: false } as never,
    observation: { at: storage.nowMs, report } as never,
  });
  if (pass.grownAt !== undefined) node = { ...node, status: { storage: { grownAt: pass.grownAt } } as never };
  const { status, reason } = storageVerdict(node, pass);
  const wrote = storage.writes.splice(0);
  return { wrote, condition: `${status} ${reason}` };
}

describe('a volume that grows by itself', () => {
  it('is made as large as the spec says, and stays so below the threshold', async () => {
    expect((await look(10)).wrote).toEqual(['1Ti']);
    expect(await look(79)).toEqual({ wrote: [], condition: 'True Bound' });
  });

  it('grows by a step from the threshold on, and not again before the driver and the file system have', async () => {
    await look(10);
    expect(await look(80)).toEqual({ wrote: [`${1_258_292}Mi`], condition: 'False Resizing' });
    expect((await look(85)).wrote).toEqual([]);
    storage.grows();
    // The file system follows its volume a while later.
    expect(await look(85)).toEqual({ wrote: [], condition: 'True Bound' });
    storage.nowMs += 6 * MINUTE_MS;
    expect((await look(85)).wrote).toEqual([`${1_509_951}Mi`]);
  });

  it('never grows above its limit, and says that it is nearly full there', async () => {
    node = nodeOf({ size: '1Ti', autoGrow: { ...AUTO, increase: '900Gi', max: '1536Gi' } });
    await look(10);
    expect((await look(90)).wrote).toEqual([`${1536 * 1024}Mi`]);
    storage.grows();
    storage.nowMs += 6 * MINUTE_MS;
    expect(await look(95)).toEqual({ wrote: [], condition: 'False NearlyFull' });
  });

  it('is not made smaller by a spec that still has the first size, and grows when the spec overtakes it', async () => {
    await look(10);
    await look(90);
    storage.grows();
    expect((await look(40)).wrote).toEqual([]);
    node = nodeOf({ size: '3Ti', autoGrow: { ...AUTO, max: '4Ti' } });
    expect((await look(40)).wrote).toEqual(['3Ti']);
  });

  it('says so when the storage refuses, and goes on asking', async () => {
    await look(10);
    storage.refuses = true;
    expect(await look(90)).toEqual({ wrote: [], condition: 'False ResizeRefused' });
    storage.refuses = false;
    expect((await look(90)).wrote).toHaveLength(1);
  });
});

it('a volume without autoGrow stays as it is, however full', async () => {
  node = nodeOf({ size: '1Ti' });
  await look(10);
  expect(await look(99)).toEqual({ wrote: [], condition: 'True Bound' });
});

it('a node that is made again uses the claim that its own one names, and says when that is gone', async () => {
  const claims = new Map<string, object>([
    [
      'data-a',
      { metadata: { name: 'data-a', annotations: { 'chain.dev/replaced-by': 'data-a-evmsplit-1' } } },
    ],
    [
      'data-a-evmsplit-1',
      {
        metadata: { name: 'data-a-evmsplit-1' },
        spec: { resources: { requests: { storage: '1Ti' } } },
        status: { phase: 'Bound', capacity: { storage: '1Ti' } },
      },
    ],
  ]);
  const client = {
    clock: storage.client.clock,
    get: async (_: unknown, { name }: { name: string }) => claims.get(name),
  } as unknown as KubeClient;
  const view = { node, desired: { runs: true, serves: true, isProtected: false }, observation: undefined };
  const pass = await ensureVolume(client, view);
  expect([pass.claim?.metadata?.name, pass.replacement]).toEqual(['data-a-evmsplit-1', 'data-a-evmsplit-1']);
  claims.delete('data-a-evmsplit-1');
  expect(storageVerdict(node, await ensureVolume(client, view))).toMatchObject({
    reason: 'Missing',
    message: expect.stringContaining('data-a-evmsplit-1'),
  });
});

it('what a volume never changes is said: another class, a smaller size', () => {
  const claim = {
    spec: {
      storageClassName: 'slow',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2Ti' } },
    },
    status: { phase: 'Bound', capacity: { storage: '2Ti' } },
  } as unknown as PersistentVolumeClaim;
  const asked = (given: object) => storageVerdict(nodeOf(given), { claim });
  expect(asked({ size: '2Ti', storageClassName: 'slow' })).toMatchObject({ status: 'True', reason: 'Bound' });
  expect(asked({ size: '2Ti', storageClassName: 'fast' })).toMatchObject({
    status: 'True',
    reason: 'NotAsSpecified',
    message: expect.stringContaining('class slow and stays there, not fast'),
  });
  expect(asked({ size: '1Ti' }).message).toContain('2Ti and never shrinks to 1Ti');
});
