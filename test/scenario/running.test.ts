import { createConnection } from 'node:net';
import type { NodeReport } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import {
  countOf,
  createHomes,
  heightOf,
  JSON_LOG,
  type MadeChain,
  makeChain,
  refusalOf,
  start,
} from '../support/madeChain.ts';
import { until } from '../support/until.ts';

const homes = createHomes();
let chain: MadeChain;
beforeAll(async () => {
  chain = await makeChain(homes.fresh(), true);
});
afterAll(() => homes.remove());

describe('a running node', () => {
  let home: string;
  let node: DevNode;
  beforeAll(async () => {
    home = homes.copyOf(chain.home);
    node = await startDevNode({ home, blockTimeMs: 100, args: JSON_LOG });
  });
  afterAll(() => node.kill9());

  it('continues where it stopped', async () => {
    expect(await heightOf(node)).toBeGreaterThanOrEqual(chain.height);
    expect(await countOf(node, chain.counter)).toBe(2n);
  });

  it('keeps a second process off its home, and off its ports', async () => {
    expect(refusalOf(await start(home))).toContain(
      `data/changelog is in use by process ${node.pid}; stop that process`,
    );
    const port = new URL(node.adminUrl).port;
    expect(refusalOf(await start(homes.copyOf(chain.home), '--admin-port', port))).toBe(
      `error: cannot listen on 127.0.0.1:${port} (EADDRINUSE); stop the program that uses it or choose another port`,
    );
    await heightOf(node);
  });

  it('tells on the admin port what it is and does', async () => {
    const answer = await fetch(`${node.adminUrl}/status`);
    const report = (await answer.json()) as NodeReport;
    expect(report).toMatchObject({
      release: '6.5.0',
      mode: 'rpc',
      engine: 'embedded',
      backend: 'pebbledb',
      evmSplit: expect.any(Boolean),
      stage: 'running',
      nodeId: expect.stringMatching(/^[0-9a-f]{40}$/),
      catchingUp: false,
    });
    expect(report.height).toBeGreaterThanOrEqual(chain.height);
    expect(Date.parse(report.blockTime ?? '')).toBeGreaterThan(0);
  });

  it('answers probes and metrics on the admin port', async () => {
    const get = async (path: string) => {
      const response = await fetch(`${node.adminUrl}${path}`);
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await response.text(),
      };
    };
    for (const path of ['/livez', '/readyz', '/startupz']) {
      const { status, body } = await get(path);
      expect([path, status, JSON.parse(body)]).toEqual([
        path,
        200,
        expect.objectContaining({ status: 'ok' }),
      ]);
    }
    expect(JSON.parse((await get('/readyz')).body).details).toEqual({
      height: expect.any(Number),
      blockAgeSeconds: expect.any(Number),
    });
    const metrics = await get('/metrics');
    expect(metrics).toMatchObject({ status: 200, type: expect.stringContaining('text/plain') });
    const height = Number(/^chain_chain_height_blocks (\d+)$/m.exec(metrics.body)?.[1]);
    expect(height).toBeGreaterThanOrEqual(chain.height);
    for (const name of ['chain_state_store_durable_version', 'chain_state_changelog_append_seconds_count']) {
      expect(metrics.body).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
    expect(await get('/nothing')).toMatchObject({ status: 404 });
  });

  it('ends at once on a second SIGINT, while the first still waits for a request', async () => {
    const { hostname: host, port } = new URL(node.url);
    const slow = createConnection({ host, port: Number(port) });
    slow.on('error', () => undefined);
    slow.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    // An answer on another connection tells that the unfinished request has been taken up.
    await heightOf(node);
    process.kill(node.pid, 'SIGINT');
    await until('it stops', async () => node.output().includes('Node is stopping'));
    process.kill(node.pid, 'SIGINT');
    // The signal ended it: it did not wait for the request.
    expect(await node.exited).toBeNull();
    expect(node.output()).not.toContain('Node is stopped');
    slow.destroy();
  });
});
