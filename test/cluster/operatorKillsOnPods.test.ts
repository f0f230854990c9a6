import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, missingCluster, openCluster } from '../support/cluster.ts';
import { starterKubeconfig } from '../support/clusterStarter.ts';
import { makeNetworkFiles } from '../support/networkFiles.ts';
import { type LoopVolume, openLoopVolume } from '../support/operatorKills/loopVolume.ts';
import { OperatorProcess } from '../support/operatorKills/operatorProcess.ts';
import { PodNodes } from '../support/operatorKills/podNodes.ts';
import { liarPod, rpcNode, staticVolume, trustedService } from '../support/operatorKills/podObjects.ts';
import { dealSteps, KILLED_SHARE, StepKiller } from '../support/operatorKills/steps.ts';
import { type ApiWrite, openWriteProxy, type WriteProxy } from '../support/operatorKills/writeProxy.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';
import { writeSamplesOverlay } from './operatorOverlay.ts';
import { killInPhases } from './phaseKills.ts';

const IMAGES = {
  'rate-limiter': 'localhost/chain-rate-limiter:6.5.0',
  node: 'localhost/chain-node:6.5.0',
};
const NETWORK = 'kill-matrix';
const NODE = 'rpc';
/** Each step is killed once, in one of so many migrations. */
const RUNS = Number(process.env.OPERATOR_POD_RUNS);
const SNAPSHOTS = 20;
const VALIDATORS = [0, 1, 2, 3].map((i) => `validator-${i}`);
const PHASES = [
  'Preflight',
  'Draining',
  'Stopping',
  'BackingUp',
  'Applying',
  'Starting',
  'Syncing',
  'Verifying',
];
const TEST_MS = 7_200_000;

describe('an operator of real pods', {
  timeout: TEST_MS,
  ...leftOutIf('kill matrix on Kubernetes', missingCluster()),
}, () => {
  const directory = mkdtempSync(join(tmpdir(), 'kill-matrix-'));
  const log = join(directory, 'operator.log');
  const rows: string[] = [];
  let cluster: Cluster;
  let nodes: PodNodes;
  let proxy: WriteProxy;
  let operator: OperatorProcess;
  let small: LoopVolume;
  let killer = new StepKiller();
  let stands = 'no migration';

  /** Where the migration of our node stands, by what is written of it; then whether it is a moment to die at. */
  function isKilled(moment: 'before' | 'after', { method, resource, name, body }: ApiWrite): boolean {
    if (!name.startsWith(NODE) || resource === 'events') return false;
    const isFatal = killer.kills(`${moment} ${method} ${resource} in ${stands}`);
    if (isFatal) operator.kill();
    const { status } = (body ?? {}) as { status?: { migration?: { phase?: string; attempt?: number } } };
    const { phase, attempt } = status?.migration ?? {};
    if (moment === 'after' && phase !== undefined) stands = `${phase} ${attempt ?? ''}`;
    return isFatal;
  }
  /** Both the operator, which is outside, and the pods must reach it. */
  const addressOf = async (service: string): Promise<string> =>
    `http://${await nodes.kubectl('get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}')}:26657`;
  const record = (what: string, kills: number | string, ends: string): void =>
    void rows.push(`${what.padEnd(48)} ${String(kills).padStart(4)}  ${ends}`);

  beforeAll(async () => {
    cluster = await openCluster();
    await cluster.build(IMAGES);
    nodes = new PodNodes(cluster, { namespace: NETWORK, directory });
    await makeNetworkFiles();
    await cluster.kubectl('apply', '--server-side', '--force-conflicts', '-k', 'k8s/crd');
    await cluster.kubectl('create', 'namespace', NETWORK);
    const kubeconfig = starterKubeconfig() ?? process.env.KUBECONFIG!;
    proxy = await openWriteProxy({ kubeconfig, directory }, isKilled);
    operator = new OperatorProcess({ kubeconfig: proxy.kubeconfig, namespace: NETWORK, log });
    // Nobody makes snapshots at first.
    await cluster.kubectl('apply', '-k', writeSamplesOverlay(NETWORK, 0));
    await nodes.apply(...[0, 1].map((i) => trustedService(`trusted-${i}`, i)), liarPod('validator-1'));
    const trusted = await Promise.all([0, 1].map((i) => addressOf(`trusted-${i}`)));
    small = openLoopVolume(1200);
    await cluster.kubectl('delete', 'pv', 'small', '--ignore-not-found');
    await nodes.apply(
      ...staticVolume('small', NETWORK, small.path),
      rpcNode(NODE, trusted),
      rpcNode('small', trusted, { source: { existingClaim: { name: 'small' } } }),
    );
    await Promise.all([nodes.ready(NODE), nodes.ready('small')]);
  }, TEST_MS);

  afterAll(async () => {
    process.stdout.write(`${rows.join('\n')}\n`);
    await nodes?.kubectl('delete', 'cn', '--all', '--timeout=240s');
    await cluster?.kubectl('delete', 'namespace', NETWORK, '--ignore-not-found', '--timeout=240s');
    await cluster?.kubectl('delete', 'pv', 'small', '--ignore-not-found');
    await operator?.close();
    await proxy?.close();
    small?.close();
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('holds where no peer has a snapshot, and goes on once one has', async () => {
    const identity = await nodes.identity(NODE);
    await nodes.patch(NODE, { migration: { retry: { maxAttempts: 1 } } });
    await nodes.askForOther(NODE);
    await nodes.reaches(NODE, 'Held', { reason: 'NoSnapshots' });
    for (const name of VALIDATORS) {
      await nodes.patch(name, { config: { app: { 'state-sync': { 'snapshot-interval': SNAPSHOTS } } } });
    }
    await Promise.all(VALIDATORS.map((name) => nodes.ready(name)));
    await nodes.patch(NODE, { migration: { retry: { maxAttempts: 9 } } });
    await nodes.annotate(NODE, 'retry');
    await nodes.reaches(NODE, 'Succeeded');
    expect(await nodes.identity(NODE)).toEqual(identity);
    record('no peer has a snapshot', '', 'Held NoSnapshots, Succeeded');
  });

  it('ends well, before and behind whichever write it is killed', async () => {
    const identity = await nodes.identity(NODE);
    killer = new StepKiller();
    await nodes.migrate(NODE);
    const steps = [...killer.seen];
    const hands = dealSteps(steps, RUNS);
    let kills = 0;
    for (const hand of hands) {
      killer = new StepKiller(hand);
      await nodes.migrate(NODE);
      kills += killer.killed.size;
      expect(await nodes.identity(NODE)).toEqual(identity);
      process.stdout.write(`${[...killer.killed].join('\n')}\n${kills} kills of ${steps.length}\n`);
    }
    killer = new StepKiller();
    record(`the operator, in ${hands.length} migrations`, kills, 'Succeeded');
    expect(kills).toBeGreaterThanOrEqual(KILLED_SHARE * steps.length);
  });

  it('does nothing twice when two work at once', async () => {
    const rival = new OperatorProcess({ kubeconfig: proxy.kubeconfig, namespace: NETWORK, log });
    await nodes.migrate(NODE).finally(() => rival.close());
    const id = (await nodes.migration(NODE))?.id ?? '';
    const jobs = await nodes.kubectl('get', 'jobs', '-l', `chain.dev/migration-of=${NODE}`, '-o', 'name');
    const parts = jobs
      .split('\n')
      .filter((name) => name.includes(id))
      .map((name) => name.split(id)[1]);
    record('two operators at once', '', `Succeeded, by the Jobs ${parts.join(' ')}`);
    // By step, attempt and try: a sync that fails on a busy machine is attempted again, nothing is tried again.
    expect(parts.filter((part) => !part?.endsWith('-1'))).toEqual([]);
    const once = parts.filter((part) => /backup|preflight/.test(part ?? ''));
    expect(once).toEqual(['-backup-1-1', '-preflight-1-1']);
  });

  it('ends well when the pod is killed in each phase', async () => {
    const kills = killInPhases(cluster, NETWORK, [
      { node: NODE, phases: PHASES, victim: ['-n', NETWORK, 'pod', `${NODE}-0`] },
    ]);
    await nodes.migrate(NODE).finally(() => kills.end());
    record('the pod, in each phase', kills.done.length, 'Succeeded');
    expect(kills.done.length).toBeGreaterThan(PHASES.length / 2);
  });

  it.each([
    ['nobody', /ECONNREFUSED|aborted|timeout/],
    ['liar', /DEAD/],
  ] as const)('refuses a trusted RPC that is %s, and goes on when it is put right', async (from, why) => {
    await nodes.apply(trustedService('trusted-1', from));
    const { before } = await nodes.askForOther(NODE);
    const { reason, message } = await nodes.reaches(NODE, 'Blocked', { before });
    expect(message).toMatch(why);
    await nodes.apply(trustedService('trusted-1', 1));
    await nodes.reaches(NODE, 'Succeeded', { before });
    record(`the trusted RPC is ${from}`, '', `Blocked ${reason}, Succeeded`);
  });

  it('holds where the volume is full, and goes on when there is room', async () => {
    await nodes.patch('small', { migration: { retry: { maxAttempts: 1 } } });
    await nodes.askForOther('small');
    await nodes.reaches('small', 'Applying');
    small.fill(100);
    const { message } = await nodes.reaches('small', 'Held', { reason: 'SnapshotRefused' });
    expect(message).toContain('no room');
    small.free();
    await nodes.patch('small', { migration: { retry: { maxAttempts: 9 } } });
    await nodes.annotate('small', 'retry');
    await nodes.reaches('small', 'Succeeded');
    record('a full volume', '', 'Held SnapshotRefused, Succeeded');
  });

  it('refuses to have the image changed behind the wipe, and takes a wish back when it is done', async () => {
    const { before, split } = await nodes.askForOther(NODE);
    await nodes.reaches(NODE, 'Starting', { before });
    await expect(nodes.patch(NODE, { image: 'localhost/chain-node:other' })).rejects.toThrow('image');
    const first = (await nodes.migration(NODE))?.id;
    await nodes.patch(NODE, { stateStore: { evmSplit: !split } });
    await nodes.reaches(NODE, 'Succeeded', { before: first });
    expect(await nodes.isSplit(NODE)).toBe(!split);
    record('the spec is edited behind the wipe', '', 'refused, or the next migration');
  });

  it.each(['Stopping', 'Starting'])(
    'is deleted in %s, and another one takes volume and key over',
    async (phase) => {
      const identity = await nodes.identity(NODE);
      const object = JSON.parse(await nodes.kubectl('get', 'cn', NODE, '-o', 'json')) as {
        metadata: object;
        spec: object;
      };
      const { before, split } = await nodes.askForOther(NODE);
      await nodes.reaches(NODE, phase, { before });
      await nodes.kubectl('delete', 'cn', NODE, '--timeout=600s');
      const spec = { ...object.spec, stateStore: { evmSplit: split } };
      await nodes.apply({
        apiVersion: 'chain.dev/v1alpha1',
        kind: 'ChainNode',
        metadata: { name: NODE },
        spec,
      });
      await nodes.ready(NODE);
      await until(
        'it is in the layout asked for',
        async () => (await nodes.isSplit(NODE)) === split,
        900_000,
      );
      expect(await nodes.identity(NODE)).toEqual(identity);
      record(`deleted in ${phase}`, '', 'another one has its volume and key');
    },
  );

  it('has met nothing that it did not foresee', () => {
    const unforeseen = readFileSync(log, 'utf8').match(/^.*(?:TypeError|ReferenceError|Unhandled).*$/gm);
    expect(unforeseen).toBe(null);
  });
});
