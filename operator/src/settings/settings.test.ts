import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadSettings, operatorReference } from './index.ts';

const load = (flags: Record<string, string>, environment: Record<string, string> = {}) =>
  loadSettings({ file: undefined, environment, flags });

it('takes flags before the environment, and the environment before defaults', async () => {
  const { settings } = await load(
    { 'controller.concurrency': '8' },
    { CHAIN_OPERATOR_CONTROLLER_CONCURRENCY: '2', CHAIN_OPERATOR_KUBERNETES_NAMESPACES: 'a,b' },
  );
  expect(settings.controller.concurrency).toBe(8);
  expect(settings.kubernetes.namespaces).toEqual(['a', 'b']);
  expect(settings['leader-election']['lease-duration']).toBe(15_000);
});

it('refuses a leader that may lead longer than its lease, and one port for two', async () => {
  await expect(load({ 'leader-election.renew-deadline': '15s' })).rejects.toThrow('two could lead at once');
  await expect(load({ 'status-page.port': '8080' })).rejects.toThrow('admin.port is the same');
});

it('ignores what Kubernetes says of a Service of its name', async () => {
  const { warnings } = await load(
    {},
    { CHAIN_OPERATOR_SERVICE_HOST: '10.0.0.1', CHAIN_OPERATOR_PORT: 'tcp://x' },
  );
  expect(warnings).toEqual([]);
});

it('has a page that is up to date', () => {
  expect(readFileSync('docs/reference/operator.md', 'utf8')).toBe(operatorReference());
});
