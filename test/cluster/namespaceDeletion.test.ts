import { afterAll, beforeAll, describe, it } from 'vitest';
import type { MigrationPhase } from '../../operator/src/api/index.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE_FLEET } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { NODES } from '../support/operatorKills/scenarios.ts';
import { ServerFleet } from '../support/operatorKills/simulatedFleet.ts';
import { openTrustedRpcs } from '../support/operatorKills/trustedRpcs.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const PHASES: readonly MigrationPhase[] = [
  ...(['Preflight', 'WaitingForSlot', 'Draining', 'Stopping', 'BackingUp'] as const),
  ...(['Applying', 'Starting', 'Syncing', 'Verifying', 'Releasing', 'Succeeded'] as const),
];
const LONG_MS = 120_000;

describe('a namespace that is deleted', leftOutIf('namespace deletion', missingApiServer()), () => {
  let server: ApiServer;
  let trusted: Awaited<ReturnType<typeof openTrustedRpcs>>;

  beforeAll(async () => {
    server = await openApiServer();
    trusted = await openTrustedRpcs('sim-1');
  });
  afterAll(() => {
    trusted?.close();
    server?.close();
  });

  /** What the namespace's own controller deletes, in no particular order; nobody makes anything in it any more. */
  async function sweep(namespace: string): Promise<void> {
    const { client } = server;
    await client.delete(NAMESPACES, { name: namespace });
    await client.delete(CHAIN_NODE_FLEET, { namespace, name: 'rpc' });
    for (const kind of [NODES, KINDS.job, KINDS.pod, KINDS.statefulSet]) {
      for (const { metadata } of await client.list<{ metadata?: { name?: string } }>(kind as never, {
        namespace,
      }))
        await client.delete(kind as never, { namespace, name: metadata?.name ?? '' });
    }
  }

  it.each(PHASES)('goes with a node whose migration is in %s', { timeout: 300_000 }, async (phase) => {
    const namespace = `going-${phase.toLowerCase()}`;
    const fleet = new ServerFleet(server.client, namespace);
    await fleet.create(1, trusted.urls, { evmSplit: false });
    const isAt = async (is: (migration: string | undefined) => boolean) =>
      is((await fleet.list())[0]?.status?.migration?.phase);
    const turns = (is: () => Promise<boolean>) => async () => {
      if (await is()) return true;
      await fleet.turn();
      return is();
    };
    await until(
      'it serves',
      turns(async () => (await fleet.list())[0]?.status?.stateStore?.layout === 'current'),
      LONG_MS,
    );
    await fleet.patch({ template: { spec: { stateStore: { evmSplit: true } } } });
    await until(
      phase,
      turns(() => isAt((found) => found === phase)),
      LONG_MS,
    );
    await sweep(namespace);
    await until('the node is gone', async () => (await fleet.look()) === 0, LONG_MS);
  });
});
