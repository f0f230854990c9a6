import { StargateClient } from '@cosmjs/stargate';
import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { makeNetworkFiles } from '../support/networkFiles.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';
import { writeOverlay } from './overlay.ts';
import { owedBy, simulateClients } from './simulatedClients.ts';

const IMAGES = { 'rate-limiter': 'localhost/chain-rate-limiter:6.5.0', node: 'localhost/chain-node:6.5.0' };
const NETWORK = 'chain-test';
const ALONE = 'chain-alone';
/** The first account of the well-known development mnemonic. */
const FUNDED = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const LOAD_SECONDS = Number(process.env.CLUSTER_LOAD_SECONDS ?? 10);
/** More than comes in between two bursts of a client: a bucket never overflows, so that its sum is exact. */
const RULE = { rate: 1, burst: 4 };
/** Twice what the rule gives, however slow the machine is. */
const LOAD = { clients: 1000, atOnce: 4, everyMs: 2000 };

interface Pod {
  readonly metadata: { readonly uid: string };
  readonly status: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount: number }[];
  };
}

describe('on Kubernetes', leftOutIf('test:cluster', missingCluster()), () => {
  let cluster: Cluster;
  const ready = (namespace: string, ...pods: readonly string[]) =>
    cluster.kubectl(
      '-n',
      namespace,
      'wait',
      '--for=condition=Ready',
      '--timeout=240s',
      ...pods.map((pod) => `pod/${pod}`),
    );
  /** What the admin listener of a pod says, through the API server. */
  const admin = (namespace: string, pod: string, path: string) =>
    cluster.kubectl('get', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/proxy${path}`);
  const heightOf = async (pod: string): Promise<number> => {
    const { details } = JSON.parse(await admin(NETWORK, `${pod}:26661`, '/readyz')) as {
      details: { height: number };
    };
    return details.height;
  };

  beforeAll(async () => {
    cluster = await openCluster();
    await cluster.build(IMAGES);
    await makeNetworkFiles();
    await cluster.kubectl('apply', '-k', writeOverlay({ base: 'testNetwork', namespace: NETWORK }));
    await until('pods are there', async () =>
      cluster.kubectl('-n', NETWORK, 'get', 'pod', 'chain-validator-3', 'chain-rpc-0'),
    );
  });
  afterAll(async () => {
    await cluster?.kubectl('delete', 'namespace', NETWORK, ALONE, '--ignore-not-found', '--wait=false');
    await cluster?.close();
  });

  it('four validators make blocks', async () => {
    const validators = [0, 1, 2, 3].map((i) => `chain-validator-${i}`);
    await ready(NETWORK, ...validators);
    const heights = await Promise.all(validators.map(heightOf));
    for (const [i, pod] of validators.entries()) {
      await until(`${pod} goes on`, async () => (await heightOf(pod)) >= heights[i]! + 2);
    }
  });

  it('an RPC node follows them; ethers sends through its Service and reads the receipt', async () => {
    await ready(NETWORK, 'chain-rpc-0');
    const provider = new JsonRpcProvider(await cluster.serviceUrl(NETWORK, 'chain-rpc', 8545), undefined, {
      polling: true,
    });
    try {
      expect((await provider.getNetwork()).chainId).toBe(713_715n);
      const to = Wallet.createRandom().address;
      const sent = await new Wallet(FUNDED, provider).sendTransaction({ to, value: parseEther('1') });
      const receipt = await sent.wait(1, 120_000);
      expect(receipt?.status).toBe(1);
      expect(await provider.getBalance(to)).toBe(parseEther('1'));
    } finally {
      provider.destroy();
    }
  });

  it('CosmJS reads the chain through the limiter', async () => {
    const client = await StargateClient.connect(await cluster.serviceUrl(NETWORK, 'chain-rpc', 26657));
    expect(await client.getChainId()).toBe('chain-test-1');
    expect(await client.getHeight()).toBeGreaterThan(0);
    client.disconnect();
  });

  it('a further RPC pod begins with a snapshot, and trusts what it reads through the limiter', async () => {
    const trusted = await cluster.serviceUrl(NETWORK, 'chain-rpc', 26657);
    const { result } = (await (await fetch(`${trusted}/block?height=2`)).json()) as {
      result: { block_id: { hash: string } };
    };
    await until('there is a snapshot', async () => (await heightOf('chain-rpc-0')) > 40, 240_000);
    const data = {
      CHAIND_STATESYNC_ENABLE: 'true',
      CHAIND_STATESYNC_RPC_SERVERS: 'http://chain-rpc:26657,http://chain-rpc:26657',
      CHAIND_STATESYNC_TRUST_HEIGHT: '2',
      CHAIND_STATESYNC_TRUST_HASH: result.block_id.hash,
      CHAIND_STATESYNC_DISCOVERY_TIME: '5s',
    };
    const patch = ['patch', 'configmap', 'chain-network', '--type=merge', '-p', JSON.stringify({ data })];
    await cluster.kubectl('-n', NETWORK, ...patch);
    const scale = (replicas: number) =>
      cluster.kubectl('-n', NETWORK, 'scale', 'statefulset', 'chain-rpc', `--replicas=${replicas}`);
    await scale(2);
    await until('the pod is there', async () => cluster.kubectl('-n', NETWORK, 'get', 'pod', 'chain-rpc-1'));
    await ready(NETWORK, 'chain-rpc-1');
    expect(await cluster.kubectl('-n', NETWORK, 'logs', 'chain-rpc-1', '-c', 'node')).toContain(
      'The snapshot is restored',
    );
    const height = await heightOf('chain-rpc-1');
    await until('blocks follow', async () => (await heightOf('chain-rpc-1')) >= height + 2);
    // The Service is one pod's again.
    await scale(1);
    await cluster.kubectl('-n', NETWORK, 'wait', '--for=delete', 'pod/chain-rpc-1', '--timeout=120s');
  });

  it('the 21st request of a burst through the Service is refused', async () => {
    const url = await cluster.serviceUrl(NETWORK, 'chain-rpc', 26657);
    // Whatever was spent before has come back by then.
    await until('20 calls are there', async () => {
      await new Promise((filled) => setTimeout(filled, 2500));
      const statuses = await Promise.all(
        Array.from({ length: 40 }, () => fetch(`${url}/health`).then(({ status }) => status)),
      );
      const passed = statuses.filter((status) => status === 200).length;
      expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
      // A slow machine hands out some more while it asks.
      return passed >= 20 && passed < 40;
    });
    const unsafe = await fetch(`${url}/dial_seeds`);
    expect([403, 429]).toContain(unsafe.status);
  });

  it('the node itself cannot be reached but through the limiter', async () => {
    const state = await cluster.kubectl(
      '-n',
      NETWORK,
      'exec',
      'chain-rpc-0',
      '-c',
      'node',
      '--',
      'node',
      '-e',
      "const n = require('net'), { networkInterfaces: i } = require('os'); const own = Object.values(i()).flat().find((a) => !a.internal && a.family === 'IPv4').address; n.connect(26667, own).on('error', (e) => console.log(e.code)).on('connect', () => { console.log('open'); process.exit(); })",
    );
    expect(state.trim()).toBe('ECONNREFUSED');
  });

  it('containers run locked down: no root, nothing writable but the volume, half the memory as heap', async () => {
    const script =
      "const fs = require('fs'); let w = 'writable'; try { fs.writeFileSync('/app/x', '') } catch (e) { w = e.code } console.log(process.getuid(), w, Math.round(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20))";
    const printed = await cluster.kubectl(
      '-n',
      NETWORK,
      'exec',
      'chain-rpc-0',
      '-c',
      'node',
      '--',
      'node',
      '-e',
      script,
    );
    const [user, write, heapMib] = printed.trim().split(' ');
    expect([user, write]).toEqual(['1000', 'EROFS']);
    // Of a limit of 4 GiB.
    expect(Number(heapMib)).toBeLessThan(2600);
    const version = await cluster.kubectl(
      '-n',
      NETWORK,
      'exec',
      'chain-rpc-0',
      '-c',
      'node',
      '--',
      'chaind',
      'version',
      '--json',
    );
    expect(version).toContain('rocksdb');
  });

  it('a deleted pod drains, stops in order, and comes back to its volume', async () => {
    const volume = async () =>
      (await cluster.json<Pod>('-n', NETWORK, 'get', 'pvc', 'data-chain-rpc-0')).metadata.uid;
    const pod = async () => cluster.json<Pod>('-n', NETWORK, 'get', 'pod', 'chain-rpc-0');
    const [oldVolume, oldPod, height] = [await volume(), await pod(), await heightOf('chain-rpc-0')];
    const logs = cluster.kubectl('-n', NETWORK, 'logs', '-f', '--since=1s', 'chain-rpc-0', '-c', 'node');
    const drained = cluster.kubectl('-n', NETWORK, 'logs', '-f', 'chain-rpc-0', '-c', 'rate-limiter');
    await cluster.kubectl('-n', NETWORK, 'delete', 'pod', 'chain-rpc-0', '--wait=true');
    expect(await logs).toMatch(/Node is stopping[\s\S]*Node is stopped/);
    expect(await drained).toContain('Limiter is stopped');
    await until('there is another pod', async () => (await pod()).metadata.uid !== oldPod.metadata.uid);
    await ready(NETWORK, 'chain-rpc-0');
    expect(await volume()).toBe(oldVolume);
    expect(await heightOf('chain-rpc-0')).toBeGreaterThanOrEqual(height);
    for (const { name, restartCount } of (await pod()).status.containerStatuses ?? []) {
      expect([name, restartCount]).toEqual([name, 0]);
    }
  });

  it('a node alone serves 1,000 clients fairly, each exactly what the limit says', async () => {
    await cluster.kubectl('delete', 'namespace', NETWORK, '--wait=true');
    const limiter = [
      '[listen]',
      'address = "0.0.0.0"',
      '[admin]',
      'address = "0.0.0.0"',
      '[limit]',
      `rate = ${RULE.rate}`,
      `burst = ${RULE.burst}`,
      '[clients]',
      'trusted-proxies = ["0.0.0.0/0", "::/0"]',
      '',
    ].join('\n');
    await cluster.kubectl('apply', '-k', writeOverlay({ base: 'rpcNode', namespace: ALONE, limiter }));
    await until('the pod is there', async () => cluster.kubectl('-n', ALONE, 'get', 'pod', 'chain-rpc-0'));
    await ready(ALONE, 'chain-rpc-0');
    const url = await cluster.serviceUrl(ALONE, 'chain-rpc', 26657);
    const tallies = await simulateClients({ url, ...LOAD, seconds: LOAD_SECONDS });
    const owed = tallies.map(({ times }) => owedBy(RULE, times));
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    const passed = sum(tallies.map((tally) => tally.passed));
    const refused = sum(tallies.map((tally) => tally.refused));
    const worst = Math.max(...tallies.map((tally, i) => Math.abs(tally.passed - owed[i]!)));
    process.stdout.write(
      `${LOAD.clients} clients: ${passed} passed of ${sum(owed)} owed, ${refused} refused; furthest off ${worst}\n`,
    );
    expect(sum(tallies.map((tally) => tally.other))).toBe(0);
    expect(refused).toBeGreaterThan(0.3 * passed);
    expect(passed / sum(owed)).toBeGreaterThan(0.95);
    expect(passed / sum(owed)).toBeLessThan(1.05);
    // Fair: nobody gets much more or less than its own bucket owes it.
    expect(worst).toBeLessThanOrEqual(3);
    const metrics = await admin(ALONE, 'chain-rpc-0:9101', '/metrics');
    expect(metrics).toMatch(/chain_limiter_clients \d{3,}/);
    expect(metrics).toMatch(
      /chain_limiter_evictions_total\{state="active"\} 0|^(?![\s\S]*evictions_total\{)/,
    );
  });
});
