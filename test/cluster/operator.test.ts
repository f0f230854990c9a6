import { spawnSync } from 'node:child_process';
import { JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { leftOut } from '../support/required.ts';
import { until } from '../support/until.ts';
import { writeOperatorOverlay, writeSamplesOverlay } from './operatorOverlay.ts';

const IMAGES = {
  'rate-limiter': 'localhost/chain-rate-limiter:6.5.0',
  node: 'localhost/chain-node:6.5.0',
  operator: 'localhost/chain-operator:6.5.0',
};
const SYSTEM = 'chain-system';
const NETWORK = 'chain-nodes';
/** Five nodes on two busy processors. */
const LONG_MS = 480_000;
const TEST_MS = 600_000;

interface Node {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly phase?: string;
    readonly nodeId?: string;
    readonly observedGeneration?: number;
    readonly configHash?: string;
    readonly chain?: { readonly height?: number; readonly peers?: number };
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

describe.skipIf(leftOut('test:cluster', missingCluster()))(
  'the operator on Kubernetes',
  { timeout: TEST_MS },
  () => {
    let cluster: Cluster;
    const kubectl = (...args: readonly string[]) => cluster.kubectl('-n', NETWORK, ...args);
    const node = (name: string) => cluster.json<Node>('-n', NETWORK, 'get', 'cn', name);
    const uid = async (...what: readonly string[]) =>
      (await cluster.json<Identified>('-n', NETWORK, 'get', ...what)).metadata.uid;
    const phase = (name: string, wanted: string) =>
      until(`${name} is ${wanted}`, async () => (await node(name)).status?.phase === wanted, LONG_MS);
    const patch = (spec: object) =>
      kubectl('patch', 'cn', 'rpc', '--type=merge', '-p', JSON.stringify({ spec }));
    const condition = async (type: string) =>
      (await node('rpc')).status?.conditions?.find((it) => it.type === type);

    beforeAll(async () => {
      cluster = await openCluster();
      await cluster.build(IMAGES);
      const made = spawnSync(process.execPath, ['scripts/testNetwork.ts'], { encoding: 'utf8' });
      expect(made.stderr + made.stdout).toContain('wrote');
      await cluster.kubectl(
        'apply',
        '--server-side',
        '--force-conflicts',
        '-k',
        writeOperatorOverlay(SYSTEM),
      );
      await cluster.kubectl('create', 'namespace', NETWORK);
      await until('the kinds are known', () => cluster.kubectl('apply', '-k', writeSamplesOverlay(NETWORK)));
    });
    afterAll(async () => {
      // Nodes first: somebody must take their finalizers off.
      await cluster?.kubectl('-n', NETWORK, 'delete', 'cn', '--all', '--timeout=120s');
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
      expect(await kubectl('get', 'cn', 'rpc')).toMatch(/rpc\s+rpc\s+Running\s+\d+\s+True\s+false/);
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

    it('restarts the node for a new setting, on its volume and with its key', async () => {
      const [pod, volume, before] = [
        await uid('pod', 'rpc-0'),
        await uid('pvc', 'data-rpc'),
        await node('rpc'),
      ];
      await patch({ config: { app: { evm: { max_log_no_block: 77 } } } });
      await until('the pod is another one', async () => (await uid('pod', 'rpc-0')) !== pod, LONG_MS);
      await phase('rpc', 'Running');
      const settings = await kubectl('exec', 'rpc-0', '-c', 'node', '--', 'chaind', 'config', 'show');
      expect(settings).toContain('evm.max_log_no_block = 77');
      const after = await node('rpc');
      expect(after.status?.nodeId).toBe(before.status?.nodeId);
      expect(after.status?.configHash).not.toBe(before.status?.configHash);
      expect(await uid('pvc', 'data-rpc')).toBe(volume);
    });

    it('says what is wrong with a spec that cannot be carried out, and lets the node run', async () => {
      await patch({ config: { comet: { p2p: { persistent_peers: 'x' } } } });
      await until('it is stalled', async () => (await condition('Stalled'))?.reason === 'ReservedName');
      expect((await condition('Ready'))?.status).toBe('True');
      await patch({ config: { comet: null } });
      await until('it goes on', async () => (await condition('Stalled'))?.status === 'False');
    });

    it('asks for a larger volume, and tells when the storage refuses', async () => {
      await patch({ storage: { size: '21Gi' } });
      await until('the claim has grown, or may not', async () => {
        const size = await kubectl(
          'get',
          'pvc',
          'data-rpc',
          '-o',
          'jsonpath={.spec.resources.requests.storage}',
        );
        return size === '21Gi' || (await condition('StorageReady'))?.reason === 'ResizeRefused';
      });
      await expect(patch({ storage: { size: '1Gi' } })).rejects.toThrow('may only grow');
    });

    it('hibernates to no pod and wakes again', async () => {
      await patch({ hibernate: true });
      await phase('rpc', 'Hibernated');
      await until(
        'the pod is gone',
        async () => (await kubectl('get', 'pod', 'rpc-0', '--ignore-not-found')) === '',
        LONG_MS,
      );
      await patch({ hibernate: false });
      await phase('rpc', 'Running');
    });

    it('goes with all but volume and key when it is deleted, and comes back to them', async () => {
      const [volume, before] = [await uid('pvc', 'data-rpc'), await node('rpc')];
      await kubectl('delete', 'cn', 'rpc', '--wait=true');
      await until(
        'the pod is gone',
        async () => (await kubectl('get', 'pod', 'rpc-0', '--ignore-not-found')) === '',
        LONG_MS,
      );
      expect(await uid('secret', 'rpc-node-key')).not.toBe('');
      await cluster.kubectl('apply', '-k', writeSamplesOverlay(NETWORK));
      await kubectl('wait', '--for=condition=Ready', 'cn/rpc', `--timeout=${LONG_MS / 1000}s`);
      expect(await uid('pvc', 'data-rpc')).toBe(volume);
      expect((await node('rpc')).status?.nodeId).toBe(before.status?.nodeId);
    });
  },
);
