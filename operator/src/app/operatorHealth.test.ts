import { readFileSync } from 'node:fs';
import { silentLogger } from '@chain/platform';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadSettings } from '../settings/index.ts';
import { openOperator, type RunningOperator } from './openOperator.ts';
import { OperatorHealth, STUCK_MS } from './operatorHealth.ts';

const opened: RunningOperator[] = [];
afterEach(async () => {
  for (const operator of opened.splice(0)) await operator.close();
});

describe('the operator is live', () => {
  const health = (watchMs: number, workMs: number, problem?: string) =>
    new OperatorHealth({
      watched: () => [{ kind: 'Pod', isSynced: problem === undefined, stuckMs: watchMs, problem }],
      working: () => [{ name: 'chainNode', stuckMs: workMs }],
      isLeading: () => true,
    });

  it('while it works, and while the API server lets it do nothing', () => {
    expect(health(0, 0).live()).toEqual({ ok: true });
    const refused = health(0, 0, 'list pods: forbidden');
    expect(refused.live()).toEqual({ ok: true });
    expect(refused.ready()).toMatchObject({
      ok: false,
      reason: 'not listed yet: Pod (list pods: forbidden)',
    });
  });

  it('no more when a watch has died, or no worker takes up what waits', () => {
    expect(health(STUCK_MS + 1, 0).live()).toEqual({
      ok: false,
      reason: 'for ten minutes: the watch of Pod has died',
    });
    expect(health(0, STUCK_MS + 1).live()).toMatchObject({
      reason: 'for ten minutes: no worker of chainNode has taken up what waits',
    });
  });
});

it('has the metrics that its alerts and its dashboard ask for, also without an API server', async () => {
  const flags = { 'admin.port': '0', 'admin.address': '127.0.0.1', 'status-page.enabled': 'false' };
  const { settings } = await loadSettings({ file: undefined, environment: {}, flags });
  const nobody = new URL('http://127.0.0.1:1');
  const operator = await openOperator(
    { settings, instance: 'i', namespace: 'n' },
    {
      credentials: {
        server: nobody.href,
        namespace: 'n',
        get: async () => ({ server: nobody, tls: {}, headers: {}, agent: undefined }),
      },
      logger: silentLogger,
    },
  );
  opened.push(operator);
  const metrics = await (await fetch(`${operator.adminUrl}/metrics`)).text();
  for (const file of ['rules.json', 'dashboard.json']) {
    const asked = readFileSync(`charts/operator/files/${file}`, 'utf8').match(/\bchain_[a-z_]+/g) ?? [];
    expect(asked.length).toBeGreaterThan(3);
    const known = (name: string) => metrics.includes(`# TYPE ${name.replace(/_bucket$/, '')} `);
    expect([...new Set(asked)].filter((name) => !known(name))).toEqual([]);
  }
  expect(metrics).toMatch(/^chain_app_event_loop_stall_seconds \d/m);
  expect(metrics).toMatch(/^chain_app_workers_stuck_seconds 0$/m);
  await vi.waitFor(
    async () => {
      const ready = await fetch(`${operator.adminUrl}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('ECONNREFUSED')]);
    },
    { timeout: 30_000 },
  );
  expect((await fetch(`${operator.adminUrl}/livez`)).status).toBe(200);
});
