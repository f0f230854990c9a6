import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LABELS } from '../../operator/src/api/index.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { TEMPLATE_HASH } from '../../operator/src/resources/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { ServerFleet } from '../support/operatorKills/simulatedFleet.ts';
import { openTrustedRpcs } from '../support/operatorKills/trustedRpcs.ts';
import { leftOutIf } from '../support/required.ts';

const MAX_TURNS = 400;
const namespace = 'fleet-turns';
/** Jobs of migrations have pods, too. */
const OF_FLEET = { namespace, labelSelector: `${LABELS.fleet}=rpc` };
type Trusted = Awaited<ReturnType<typeof openTrustedRpcs>>;

describe('a fleet on an API server', leftOutIf('turns of a fleet', missingApiServer()), () => {
  let server: ApiServer;
  let trusted: Trusted;
  let fleet: ServerFleet;

  beforeAll(async () => {
    server = await openApiServer();
    trusted = await openTrustedRpcs('sim-1');
    fleet = new ServerFleet(server.client, namespace);
  });
  afterAll(() => {
    trusted?.close();
    server?.close();
  });

  /** The least that served from when all did. */
  async function leastUntil(isDone: () => Promise<boolean>): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      const serving = await fleet.turn();
      if (serving === 3 || least < 4) least = Math.min(least, serving);
      if (await isDone()) return least;
    }
    return expect.unreachable(JSON.stringify((await fleet.fleet())?.status, undefined, 1));
  }
  const isComplete = async () => (await fleet.fleet())?.status?.rollout?.phase === 'Complete';
  const pods = async () =>
    (await server.client.list(KINDS.pod, OF_FLEET)).map(({ metadata }) => metadata?.uid);

  const graces = async () =>
    (await server.client.list(KINDS.pod, OF_FLEET)).map(({ spec }) => spec?.terminationGracePeriodSeconds);

  it('splits nodes that were made on kept volumes of one store one after another', {
    timeout: 300_000,
  }, async () => {
    await fleet.create(3, trusted.urls, { evmSplit: true });
    const isSplit = async () => {
      const nodes = await fleet.list();
      return nodes.length === 3 && nodes.every(({ status }) => status?.migration?.phase === 'Succeeded');
    };
    expect(await leastUntil(async () => (await isSplit()) && isComplete())).toBe(2);
  });

  it('restarts no pod for what a new operator alone renders otherwise', { timeout: 300_000 }, async () => {
    for (const [name, node] of fleet.nodes) {
      await server.client.patch(
        KINDS.statefulSet,
        { namespace, name },
        {
          metadata: { annotations: { [TEMPLATE_HASH]: 'of-the-release-before' } },
          spec: { template: { spec: { terminationGracePeriodSeconds: 7 } } },
        },
      );
      // Its pod of the release before comes to be while no operator looks.
      for (let moments = 0; moments < 3; moments++) await node.tick();
    }
    const says = async () =>
      (await fleet.list()).every(({ status }) =>
        status?.conditions?.some(({ reason }) => reason === 'NextRestart'),
      );
    expect(await leastUntil(says)).toBe(3);
    const before = await pods();
    for (let turns = 0; turns < 5; turns++) expect(await fleet.turn()).toBe(3);
    expect(await pods()).toEqual(before);
    expect(await graces()).toEqual([7, 7, 7]);
  });

  it('rolls them out one by one when the spec asks for it', { timeout: 300_000 }, async () => {
    const before = await pods();
    await fleet.patch({ template: { spec: { config: { upgradePolicy: 'Roll' } } } });
    const isRolled = async () => {
      const now = await pods();
      return now.length === 3 && now.every((uid) => !before.includes(uid)) && (await isComplete());
    };
    expect(await leastUntil(isRolled)).toBe(2);
    expect(await graces()).not.toContain(7);
  });
});
