import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainDisruptionBudget } from '../../operator/src/api/index.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_DISRUPTION_BUDGET, CHAIN_NODE, nodeNames } from '../../operator/src/resources/index.ts';
import { obstacleOfBudgets } from '../../operator/src/task/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { SimulatedNode } from '../support/operatorKills/simulatedNode.ts';
import { nodeController } from '../support/operatorOnServer.ts';
import { leftOutIf } from '../support/required.ts';

const namespace = 'shared-budget';
const NAMES = ['a', 'b', 'c'];
const BUDGET = { namespace, name: 'all' };
const MAX_TURNS = 60;

describe('nodes of no fleet under one budget', leftOutIf('a shared budget', missingApiServer()), () => {
  let server: ApiServer;
  let nodes: Map<string, SimulatedNode>;
  let controllers: Map<string, ReturnType<typeof nodeController>>;

  beforeAll(async () => {
    server = await openApiServer();
    const { client } = server;
    await client.create(NAMESPACES, { metadata: { name: namespace } });
    const spec = { selector: { matchLabels: { tier: 'rpc' } }, maxUnavailable: 1 };
    await client.create(CHAIN_DISRUPTION_BUDGET, { metadata: BUDGET, spec } as never);
    nodes = new Map(NAMES.map((name) => [name, new SimulatedNode({ name, namespace }, client)]));
    controllers = new Map(
      NAMES.map((name) => [
        name,
        nodeController({ client, observation: () => nodes.get(name)!.observation() }),
      ]),
    );
    for (const name of NAMES)
      await client.create(CHAIN_NODE, {
        metadata: { namespace, name, labels: { tier: 'rpc' } },
        spec: { chain: { id: 'sim-1' }, image: 'node:1', storage: { size: '1Gi' } },
      } as never);
  });
  afterAll(() => server?.close());

  async function turn(): Promise<number> {
    for (const name of NAMES) {
      await passing(controllers.get(name)!.reconcile({ namespace, name }));
      await nodes.get(name)!.tick();
    }
    return NAMES.filter((name) => nodes.get(name)!.runs).length;
  }
  const images = async (): Promise<readonly unknown[]> => {
    const pods = await Promise.all(
      NAMES.map((name) => server.client.get(KINDS.pod, { namespace, name: nodeNames(name).pod })),
    );
    return pods.map((pod) => pod?.spec?.containers?.find(({ name }) => name === 'node')?.image);
  };
  const budget = async (): Promise<ChainDisruptionBudget> =>
    (await server.client.get(CHAIN_DISRUPTION_BUDGET, BUDGET))!;

  it('are restarted one after another, though all were changed at once', { timeout: 300_000 }, async () => {
    for (let turns = 0; (await turn()) < NAMES.length; turns++) expect(turns).toBeLessThan(MAX_TURNS);
    for (const name of NAMES)
      await server.client.patch(CHAIN_NODE, { namespace, name }, { spec: { image: 'node:2' } });
    let least = NAMES.length;
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      least = Math.min(least, await turn());
      const now = await images();
      // Who has been let go is waited for at least two minutes; the test is not.
      const { status } = await budget();
      const disrupted = status?.disrupted?.map((one) => ({ ...one, since: '2026-01-01T00:00:00Z' }));
      await server.client.patchStatus(CHAIN_DISRUPTION_BUDGET, await budget(), { disrupted });
      if (now.every((image) => image === 'node:2')) break;
    }
    expect(await images()).toEqual(['node:2', 'node:2', 'node:2']);
    expect(least).toBe(NAMES.length - 1);
  });

  it('are let go one by one, though two operators ask at once', { timeout: 300_000 }, async () => {
    while ((await turn()) < NAMES.length);
    await server.client.patchStatus(CHAIN_DISRUPTION_BUDGET, await budget(), { disrupted: [] });
    const asked = await Promise.all(NAMES.map((name) => server.client.get(CHAIN_NODE, { namespace, name })));
    const answers = await Promise.allSettled(asked.map((node) => obstacleOfBudgets(server.client, node!)));
    const free = answers.filter((one) => one.status === 'fulfilled' && one.value === undefined);
    expect(free).toHaveLength(1);
    expect((await budget()).status?.disrupted).toHaveLength(1);
  });
});

/** What the queue would try again. */
async function passing(pass: Promise<unknown>): Promise<void> {
  try {
    await pass;
  } catch (error) {
    if ((error as { code?: string }).code !== 'KUBE_CONFLICT') throw error;
  }
}
