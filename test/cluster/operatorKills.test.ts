import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { type EndedRun, runMigration } from '../support/operatorKills/migrationRun.ts';
import { SCENARIOS, type Scenario } from '../support/operatorKills/scenarios.ts';
import { dealSteps, KILLED_SHARE, StepKiller } from '../support/operatorKills/steps.ts';
import { leftOutIf } from '../support/required.ts';

/** Each step is killed once, in one of so many migrations of its scenario; `all`: in one of its own. */
const RUNS = process.env.OPERATOR_KILL_RUNS ?? '4';
const AT_ONCE = 6;

describe('an operator on a real API server', leftOutIf('operator under kills', missingApiServer()), () => {
  let server: ApiServer;
  const rows: string[] = [];

  beforeAll(async () => {
    server = await openApiServer();
  });
  afterAll(() => {
    server?.close();
    process.stdout.write(`${rows.join('\n')}\n`);
  });

  for (const scenario of SCENARIOS) {
    it(`${scenario.name}: the same end, at whichever write it dies`, { timeout: 3_600_000 }, async () => {
      const { client } = server;
      const play = async (id: string, killer: StepKiller): Promise<void> => {
        const namespace = `${scenario.name}-${id}`;
        expectEnd(scenario, await runMigration(scenario, { client, namespace, killer }));
      };
      const whole = new StepKiller();
      await play('whole', whole);
      const hands = dealSteps(whole.seen, RUNS === 'all' ? whole.seen.size : Number(RUNS));
      let kills = 0;
      const left = [...hands.entries()];
      const work = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const killer = new StepKiller(next[1]);
          await play(String(next[0]), killer);
          kills += killer.killed.size;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      rows.push(
        `${scenario.name.padEnd(28)} ${String(kills).padStart(4)} kills in ${hands.length} migrations, each to ${scenario.ends}`,
      );
      expect(kills).toBeGreaterThanOrEqual(KILLED_SHARE * whole.seen.size);
    });
  }
});

function expectEnd({ name, ends }: Scenario, { found, node }: EndedRun): void {
  const { migration } = found?.status ?? {};
  const { phase, reason } = migration ?? {};
  const told = `${name}: ${JSON.stringify([migration?.timeline?.map(({ phase }) => phase), reason, migration?.message])}`;
  if (ends === 'deleted') expect(found, told).toBe(undefined);
  else expect([phase, `${phase} ${reason}`], told).toContain(ends);
  expect(new Set(node.worked).size, told).toBe(node.worked.length);
  if (ends !== 'deleted') expect(node.volume.keysInHome, told).toBe(true);
  if (ends === 'Succeeded') expect(node.volume.data, told).toBe('split');
  if (ends.startsWith('RolledBack')) expect(node.volume.data, told).toBe('one');
}
