import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import { KINDS, resourceKind } from '../../operator/src/kube/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { freePort } from '../support/freePort.ts';
import { processMemory } from '../support/processMemory.ts';
import { createRandom, type Random } from '../support/random.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const NODES = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const namespace = 'default';
const SECONDS = Number(process.env.OPERATOR_CHURN_SECONDS ?? 20);
/** Each is made, changed and deleted again and again. */
const NAMES = Array.from({ length: 24 }, (_, i) => `churn-${i}`);
const SETTLED_MS = 240_000;
const RESTARTS = Math.max(1, Math.floor(SECONDS / 300));
const LONG_S = 600;
const OPEN_FILES = 100;
const LEAK_MB = 60;

describe('an operator under churn', leftOutIf('operator under churn', missingApiServer()), () => {
  let server: ApiServer;
  let operator: ChildProcess;
  let metricsUrl: string;
  let output = '';

  beforeAll(async () => {
    server = await openApiServer();
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    const flags = [`--admin.port=${port}`, '--status-page.port=0', '--log.level=warn', '--log.format=json'];
    // Longer than the API server needs to come back on a busy machine.
    const leader = ['--leader-election.lease-duration=180s', '--leader-election.renew-deadline=170s'];
    operator = spawn(process.execPath, ['operator/bin/chain-operator.js', ...flags, ...leader], {
      env: { ...process.env, KUBECONFIG: server.kubeconfig },
    });
    for (const stream of [operator.stdout, operator.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
  });
  afterAll(async () => {
    if (operator?.exitCode === null) {
      const ended = once(operator, 'exit');
      operator.kill('SIGTERM');
      await ended;
    }
    server?.close();
  });

  /** Makes, changes or deletes one. */
  async function churn(random: Random, round: number): Promise<void> {
    const { client } = server;
    const ref = { namespace, name: random.pick(NAMES) };
    const found = await client.get(NODES, ref);
    if (found?.metadata.deletionTimestamp !== undefined) return;
    if (!found) await client.create(NODES, nodeOf(ref.name) as never);
    else if (random.below(4) === 0) await client.delete(NODES, ref);
    else await client.patch(NODES, ref, { spec: { proxy: { rate: { burst: 100_000 + round } } } });
  }

  /** Every node that there is has been carried out as it is now; none waits to be gone. */
  async function isSettled(): Promise<boolean> {
    const behind = (await server.client.list(NODES)).filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp !== undefined || status?.observedGeneration !== metadata.generation,
    );
    return behind.length === 0;
  }

  it('misses no change and keeps nothing, also while the API server is killed and comes back', {
    timeout: (SECONDS + 900) * 1000,
  }, async () => {
    const random = createRandom(Number(process.env.OPERATOR_CHURN_SEED ?? Date.now() % 1e6));
    await until('it works', async () => (await fetch(metricsUrl)).ok, 120_000);
    const begunAt = Date.now();
    const samples: { memory: number; files: number }[] = [];
    let [changes, restarts] = [0, 0];
    for (let round = 0; Date.now() < begunAt + SECONDS * 1000; round++) {
      if (Date.now() > begunAt + ((restarts + 0.5) * SECONDS * 1000) / RESTARTS) {
        restarts++;
        await server.restart();
      }
      const isDone = await churn(random, round).then(
        () => true,
        () => false,
      );
      changes += Number(isDone);
      if (round % 50 === 0) samples.push(sizeOf(operator.pid!));
    }
    await until('all is carried out', isSettled, SETTLED_MS);
    samples.push(sizeOf(operator.pid!));
    for (const { metadata, spec } of await server.client.list(NODES)) {
      const ref = { namespace, name: `${metadata.name}-limiter` };
      const limiter = await server.client.get(KINDS.configMap, ref);
      expect(JSON.stringify(limiter?.data).replaceAll('_', ''), metadata.name).toContain(
        `${spec.proxy.rate.burst}`,
      );
    }
    const [memory, files] = [samples.map((it) => it.memory), samples.map((it) => it.files)];
    process.stdout.write(
      `${changes} changes, ${restarts} kills of the API server; memory ${memory[0]} to ${memory.at(-1)} MB, at most ${Math.max(...files)} open files\n`,
    );
    expect([operator.exitCode, output.slice(-4000)]).toEqual([null, expect.anything()]);
    expect(Math.max(...files)).toBeLessThan(OPEN_FILES);
    // The second half of a long run: a leak goes on in it, a heap that has found its size does not.
    const half = memory.slice(Math.floor(memory.length / 2));
    if (SECONDS >= LONG_S) expect(half.at(-1)! - half[0]!).toBeLessThan(LEAK_MB);
  });
});

function sizeOf(pid: number): { memory: number; files: number } {
  const memory = Math.round(processMemory(pid, 'VmRSS') / 2 ** 20);
  return { memory, files: readdirSync(`/proc/${pid}/fd`).length };
}

function nodeOf(name: string): object {
  const spec = { chain: { id: 'churn-1' }, image: 'chain-node:6.5.0', storage: { size: '1Gi' } };
  return { metadata: { namespace, name }, spec: { ...spec, hibernate: true, deletionPolicy: 'Delete' } };
}
