import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { inNamespace } from './inNamespace.ts';
import { resolveTrust, type TrustWish } from './resolveTrust.ts';

const NOW = Date.parse('2026-03-03T00:00:00Z');
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Said {
  readonly id?: string;
  readonly network?: string;
  readonly latest?: number;
  readonly earliest?: number;
  readonly ageMs?: number;
  readonly catchingUp?: boolean;
  readonly hash?: string;
}

/** A consensus RPC that says so. */
async function rpc({
  id = 'a',
  network = 'test-1',
  latest = 20_000,
  earliest = 1,
  ...more
}: Said): Promise<string> {
  const { ageMs = 1000, catchingUp = false, hash = 'AB' } = more;
  const time = new Date(NOW - ageMs).toISOString();
  const server = createServer((request, response) => {
    const isStatus = request.url?.startsWith('/status');
    const result = isStatus
      ? {
          node_info: { id, network },
          sync_info: {
            latest_block_height: `${latest}`,
            earliest_block_height: `${earliest}`,
            latest_block_time: time,
            catching_up: catchingUp,
          },
        }
      : {
          signed_header: {
            header: { time },
            commit: { block_id: { hash: `${hash}${request.url?.split('=')[1]}` } },
          },
        };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: -1, result }));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const wish = (rpcServers: readonly string[], more: Partial<TrustWish> = {}): TrustWish => ({
  chainId: 'test-1',
  rpcServers,
  heightDelta: 10_000,
  roundTo: 0,
  minAgreeing: 2,
  maxServerLagMs: 60_000,
  periodMs: 604_800_000,
  ...more,
});
const resolve = (urls: readonly string[], more: Partial<TrustWish> = {}) =>
  resolveTrust(wish(urls, more), NOW);

it('the newest block that both have, minus the delta, with the hash that both say', async () => {
  const urls = [await rpc({ id: 'a' }), await rpc({ id: 'b', latest: 20_007 })];
  expect(await resolve(urls)).toMatchObject({ point: { height: 10_000, hash: 'AB10000', agreed: 2 } });
  expect(await resolve(urls, { heightDelta: 9_990, roundTo: 1000 })).toMatchObject({
    point: { height: 10_000 },
  });
});

it('of a young chain, or pruned servers, the earliest block that all have', async () => {
  const young = [await rpc({ id: 'a', latest: 30 }), await rpc({ id: 'b', latest: 31 })];
  expect(await resolve(young)).toMatchObject({ point: { height: 1 } });
  const pruned = [await rpc({ id: 'a', earliest: 15_000 }), await rpc({ id: 'b' })];
  expect(await resolve(pruned)).toMatchObject({ point: { height: 15_000 } });
});

it('is refused when the servers say different hashes, and by what each said', async () => {
  const found = await resolve([await rpc({ id: 'a' }), await rpc({ id: 'b', hash: 'CD' })]);
  expect(found).toMatchObject({ reason: 'TrustDisagrees' });
  expect(JSON.stringify(found)).toMatch(/AB10000.*CD10000/);
});

it.each([
  ['TrustWrongChain', { network: 'other-1' }],
  ['TrustStale', { ageMs: 300_000 }],
  ['TrustStale', { catchingUp: true }],
] as const)('is refused, %s, when one of two is %o', async (reason, said) => {
  expect(await resolve([await rpc({ id: 'a' }), await rpc({ id: 'b', ...said })])).toMatchObject({ reason });
});

it('one server under two names is one, and the node itself is none', async () => {
  const [a, b] = [await rpc({ id: 'a' }), await rpc({ id: 'a' })];
  expect(await resolve([a, b])).toMatchObject({ reason: 'TrustUnreachable' });
  expect(await resolve([a, await rpc({ id: 'ee' })], { ownId: 'ee' })).toMatchObject({
    reason: 'TrustUnreachable',
  });
  expect(await resolve([a], { minAgreeing: 1 })).toMatchObject({ point: { agreed: 1 } });
});

it('with three, one that is gone does no harm', async () => {
  const urls = [await rpc({ id: 'a' }), await rpc({ id: 'b' }), 'http://127.0.0.1:1'];
  expect(await resolve(urls)).toMatchObject({
    point: { agreed: 2, servers: [{ ok: true }, { ok: true }, { ok: false }] },
  });
});

it.each([
  ['http://validator-0:26657', 'http://validator-0.chain.svc:26657'],
  ['https://rpc', 'https://rpc.chain.svc'],
  ['http://rpc.other:26657', 'http://rpc.other:26657'],
  ['http://127.0.0.1:26657', 'http://127.0.0.1:26657'],
  ['http://[::1]:26657', 'http://[::1]:26657'],
  ['http://localhost:26657', 'http://localhost:26657'],
])('looks for %s where the node does: %s', (url, found) => expect(inNamespace(url, 'chain')).toBe(found));
