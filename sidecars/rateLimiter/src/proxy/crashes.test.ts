import { CrashBoundary, silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterEach, expect, it } from 'vitest';
import { loadSettings } from '../settings/index.ts';
import { limiterMetrics } from './limiterMetrics.ts';
import { openProxyServer, type ProxyServer } from './openProxyServer.ts';

let proxy: ProxyServer | undefined;
afterEach(() => proxy?.close());

it('what a request or a handshake throws ends it alone, and is counted', async () => {
  const flags = { 'listen.port': '0', 'upstream.url': 'http://127.0.0.1:9' };
  const { settings } = await loadSettings({ file: undefined, environment: {}, flags });
  const registry = createMetricsRegistry();
  const planted = new Proxy(
    {},
    {
      get: () => () => {
        throw new RangeError('planted');
      },
    },
  );
  proxy = await openProxyServer(settings, {
    buckets: planted as never,
    metrics: limiterMetrics(registry),
    boundary: new CrashBoundary({ name: 'proxy' }, { logger: silentLogger, metrics: registry }),
    isDraining: () => false,
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  const body = '{"jsonrpc":"2.0","id":1,"method":"status"}';
  const ways: readonly (() => Promise<unknown>)[] = [
    () => fetch(`${url}/status`),
    () => fetch(url, { method: 'POST', body }),
    () => fetch(url, { method: 'POST', body: `[${body},${body}]` }),
    () =>
      new Promise((_done, failed) =>
        new WebSocket(`${url.replace('http', 'ws')}/websocket`).addEventListener('error', failed),
      ),
  ];
  for (const [i, ask] of ways.entries()) {
    await expect(ask()).rejects.toBeDefined();
    const counted = async () =>
      /chain_crashes_total\{boundary="proxy"\} (\d+)/.exec(await registry.text())?.[1];
    await expect.poll(counted).toBe(String(i + 1));
  }
});
