import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import { ChainNodeController, HeightPace } from '../../operator/src/controller/index.ts';
import { type KubeClient, resourceKind } from '../../operator/src/kube/index.ts';
import { MigrationRunner } from '../../operator/src/task/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { killableClient, OperatorKilled, type Write } from '../support/operatorKills/killableClient.ts';
import { type JobFaults, SimulatedNode } from '../support/operatorKills/simulatedNode.ts';
import { leftOut } from '../support/required.ts';

const NODES = resourceKind<ChainNode>(API_VERSION, NODE_KIND);
const NAMESPACE = 'default';
/** `all`: before and behind every write of the operator. Else so many a scenario, spread over a migration's writes. */
const KILLS = process.env.OPERATOR_KILLS ?? '4';
const EVERY_WRITE = KILLS === 'all';
const AT_ONCE = 6;
const MOST_PASSES = 600;

interface Scenario {
  readonly name: string;
  readonly faults?: JobFaults;
  readonly ends: string;
  readonly maxAttempts?: number;
  /** Done once behind this phase. */
  readonly on?: { readonly phase: string; readonly act: (run: Run) => Promise<unknown> };
}
interface Run {
  readonly client: KubeClient;
  readonly name: string;
  readonly node: SimulatedNode;
}

const annotate = (command: string) => (run: Run) =>
  run.client.patchMetadata(NODES, refOf(run), { annotations: { [`chain.dev/${command}`]: '1' } });
const refOf = ({ name }: Pick<Run, 'name'>) => ({ namespace: NAMESPACE, name });

const SCENARIOS: readonly Scenario[] = [
  { name: 'well', ends: 'Succeeded' },
  { name: 'wipefails', faults: { apply: { times: 1, after: 4 } }, ends: 'Succeeded' },
  { name: 'abort', on: { phase: 'BackingUp', act: annotate('abort') }, ends: 'RolledBack' },
  {
    name: 'backupfails',
    faults: { backup: { times: 9, after: 2 } },
    ends: 'RolledBack',
  },
  {
    name: 'deleted',
    on: { phase: 'Applying', act: (run) => run.client.delete(NODES, refOf(run)) },
    ends: 'deleted',
  },
];

describe.skipIf(leftOut('operator under kills', missingApiServer()))(
  'an operator on a real API server',
  () => {
    let server: ApiServer;
    let trusted: Server[];
    let urls: string[];
    const rows: string[] = [];

    beforeAll(async () => {
      server = await openApiServer();
      trusted = await Promise.all(['a', 'b'].map(trustedRpc));
      urls = trusted.map((it) => `http://127.0.0.1:${(it.address() as AddressInfo).port}`);
    });
    afterAll(() => {
      for (const it of trusted ?? []) it.close();
      server?.close();
      process.stdout.write(`${rows.join('\n')}\n`);
    });

    /** One migration, whose operator dies at the write of this number, and gives way to another. */
    async function play(scenario: Scenario, killAt: number): Promise<{ writes: number; killed: boolean }> {
      const { client } = server;
      const name = `${scenario.name}-${killAt < 0 ? 'whole' : killAt}`;
      const node = new SimulatedNode({ name, namespace: NAMESPACE, faults: scenario.faults ?? {} }, client);
      const run: Run = { client, name, node };
      let [writes, killed, acted] = [0, false, false];
      const at = (_: string, write: Write, kind: string): void => {
        const counts = EVERY_WRITE || write === 'patchStatus' || kind === 'Job';
        if (!counts || writes++ !== killAt) return;
        killed = true;
        throw new OperatorKilled();
      };
      await client.create(NODES, nodeOf(name, urls, scenario) as never);
      let operator = newOperator(killableClient(client, at), node);
      let isAsked = false;
      for (let pass = 0; pass < MOST_PASSES; pass++) {
        try {
          await operator.reconcile(refOf(run));
        } catch (error) {
          if (error instanceof OperatorKilled) operator = newOperator(killableClient(client, at), node);
          else if (!isPassing(error)) throw error;
        }
        await node.tick();
        const found = await client.get(NODES, refOf(run));
        const broken = brokenInvariant(node, found);
        if (broken !== undefined) expect.unreachable(`${name}: ${broken}`);
        if (!isAsked && found?.status?.stateStore?.layout === 'current') {
          isAsked = true;
          await client.patch(NODES, refOf(run), { spec: { stateStore: { evmSplit: true } } });
        }
        if (scenario.on && !acted && found?.status?.migration?.phase === scenario.on.phase) {
          acted = true;
          await scenario.on.act(run);
        }
        if (hasEnded(found, node)) break;
      }
      await expectEnd(scenario, run);
      await client.delete(NODES, refOf(run));
      return { writes, killed };
    }

    async function expectEnd({ ends }: Scenario, run: Run): Promise<void> {
      const found = await run.client.get(NODES, refOf(run));
      const { migration } = found?.status ?? {};
      const told = JSON.stringify([migration?.timeline?.map(({ phase }) => phase), migration?.message]);
      if (ends === 'deleted') expect(found, `${run.name}: ${told}`).toBe(undefined);
      else expect(migration?.phase, `${run.name}: ${told}`).toBe(ends);
      expect(new Set(run.node.worked).size).toBe(run.node.worked.length);
      if (ends === 'Succeeded') expect(run.node.volume).toMatchObject({ data: 'split', keysInHome: true });
      if (ends === 'RolledBack') expect(run.node.volume).toMatchObject({ data: 'one', keysInHome: true });
    }

    for (const scenario of SCENARIOS) {
      it(`${scenario.name}: the same end, at whichever write it dies`, { timeout: 3_600_000 }, async () => {
        const { writes } = await play(scenario, -1);
        const count = EVERY_WRITE ? writes : Math.min(writes, Number(KILLS));
        const instants = Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * writes) / count));
        let kills = 0;
        const work = async (): Promise<void> => {
          for (let at = instants.shift(); at !== undefined; at = instants.shift()) {
            // Not `kills += await …`, which adds to what it was before the wait.
            const { killed } = await play(scenario, at);
            if (killed) kills++;
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        expect(kills).toBeGreaterThanOrEqual(count / 2);
        rows.push(`${scenario.name.padEnd(14)} ${String(kills).padStart(4)} kills, each to ${scenario.ends}`);
      });
    }
  },
);

/** Somebody else was first, or the server wants a moment. */
const isPassing = (error: unknown): boolean =>
  ['KUBE_CONFLICT', 'KUBE_UNAVAILABLE', 'KUBE_NOT_FOUND'].includes((error as { code?: string }).code ?? '');

function newOperator(client: KubeClient, node: SimulatedNode): ChainNodeController {
  const tell = (): void => undefined;
  return new ChainNodeController(
    { limiterImage: 'limiter' },
    {
      client,
      observer: { watch: () => undefined, forget: () => undefined, get: () => node.observation() },
      nodes: () => [],
      migrations: new MigrationRunner({ client, logger: silentLogger, tell }),
      pace: new HeightPace({ intervalMs: 40_000 }),
      ...{ tell, logger: silentLogger, metrics: createMetricsRegistry() },
    },
  );
}

function nodeOf(name: string, rpcServers: readonly string[], { maxAttempts = 3 }: Scenario): object {
  return {
    ...{ apiVersion: API_VERSION, kind: NODE_KIND },
    metadata: { name, namespace: NAMESPACE },
    spec: {
      chain: { id: 'sim-1' },
      image: 'localhost/chain-node:6.5.0',
      storage: { size: '1Gi' },
      stateSync: { trust: { rpcServers, heightDelta: 10 } },
      migration: {
        retry: { maxAttempts, backoffMin: '10ms', backoffMax: '10ms' },
        verify: { traceLatest: false, logLines: false, minBlocks: 0, stableFor: '0s' },
      },
    },
  };
}

function brokenInvariant({ volume, runs }: SimulatedNode, node: ChainNode | undefined): string | undefined {
  if (!volume.keysInHome && volume.backup === undefined) return 'neither keys nor a backup';
  const isWiped = volume.data === 'none' || volume.data === 'partial';
  if (isWiped && node && !node.status?.migration?.pastPointOfNoReturn)
    return 'wiped before the point of no return';
  return runs && volume.journal?.wiped && !volume.journal.sealed
    ? 'a node runs in a home that is being wiped'
    : undefined;
}

function hasEnded(node: ChainNode | undefined, simulated: SimulatedNode): boolean {
  if (!node) return true;
  const phase = node.status?.migration?.phase;
  return phase === 'Succeeded' || phase === 'Held' || (phase === 'RolledBack' && simulated.runs);
}

/** A consensus RPC whose chain has two hundred blocks. */
async function trustedRpc(id: string): Promise<Server> {
  const server = createServer((request, response) => {
    const time = new Date().toISOString();
    const result = request.url?.startsWith('/status')
      ? {
          node_info: { id, network: 'sim-1' },
          sync_info: {
            ...{ latest_block_height: '200', earliest_block_height: '1' },
            ...{ latest_block_time: time, catching_up: false },
          },
        }
      : { block_id: { hash: 'AB' }, block: { header: { time } } };
    response.end(JSON.stringify({ result }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
