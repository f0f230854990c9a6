import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prometheusRule } from '../../scripts/monitoring/alerts.ts';
import { grafanaDashboard } from '../../scripts/monitoring/dashboard.ts';
import { LIMITER_DASHBOARD } from '../../scripts/monitoring/limiterDashboard.ts';
import { NODE_DASHBOARD } from '../../scripts/monitoring/nodeDashboard.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';

const FILES: Readonly<Record<string, unknown>> = {
  'k8s/monitoring/dashboards/node.json': grafanaDashboard(NODE_DASHBOARD),
  'k8s/monitoring/dashboards/limiter.json': grafanaDashboard(LIMITER_DASHBOARD),
  'k8s/monitoring/prometheusRule.json': prometheusRule(),
};
/** What a histogram's series are called behind its name. */
const SERIES = /_(bucket|sum|count)$/;

let home: string;
let node: DevNode;
let limiter: ChildProcess;
const known = new Set<string>();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'monitoring-'));
  node = await startDevNode({ home: join(home, 'home') });
  const port = await freePort();
  limiter = spawn(
    process.execPath,
    [
      'sidecars/rateLimiter/bin/chain-rate-limiter.js',
      '--listen.port=0',
      `--admin.port=${port}`,
      `--upstream.url=${node.consensusUrl}`,
    ],
    { stdio: 'ignore' },
  );
  for (const url of [node.adminUrl, `http://127.0.0.1:${port}`]) {
    const text = await until('metrics are served', async () => (await fetch(`${url}/metrics`)).text());
    for (const [, name] of text.matchAll(/^# TYPE (\S+)/gm)) known.add(name!);
  }
});
afterAll(async () => {
  limiter?.kill('SIGKILL');
  await node?.kill9();
  rmSync(home, { recursive: true, force: true });
});

function metricsIn(file: unknown): string[] {
  const expressions = [...JSON.stringify(file).matchAll(/"(?:expr|query)":"((?:[^"\\]|\\.)*)"/g)];
  return expressions.flatMap(([, expression]) => expression!.match(/\b(chain|process|nodejs)_\w+/g) ?? []);
}

describe.each(Object.entries(FILES))('%s', (path, made) => {
  it('is up to date', () => {
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(made);
  });

  it('names metrics that the programs have', () => {
    const named = metricsIn(made);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name) && !known.has(name.replace(SERIES, '')))).toEqual([]);
  });
});
