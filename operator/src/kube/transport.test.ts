import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listOf, openFaultyServer, patient } from './faultyServer.fixture.ts';
import { type CredentialSource, KINDS, LeaderElection, openKubeClient } from './index.ts';

const list = { method: 'GET', verb: 'list', path: '/api/v1/configmaps' } as const;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const credentialsOf = (server: string): CredentialSource => ({
  server,
  namespace: 'n',
  get: async () => ({ server: new URL(server), tls: {}, headers: {}, agent: undefined }),
});

it('requests say which program sends them', async () => {
  const server = await openFaultyServer(
    { list: [listOf(1)], watch: [] },
    { userAgent: 'chain-operator/1.2.3' },
  );
  onTestFinished(server.close);
  await server.transport.send(list);
  expect(server.headers[0]?.['user-agent']).toBe('chain-operator/1.2.3');
});

it('a proxy of the environment is gone through, but for what NO_PROXY names', async () => {
  const tunnels: string[] = [];
  const plain: string[] = [];
  const proxy = createServer((request, response) => {
    plain.push(request.url ?? '');
    response.end('{}');
  });
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const [host = '', port] = (request.url ?? '').split(':');
    const beyond = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      beyond.pipe(socket).pipe(beyond);
    });
    for (const end of [beyond, socket]) end.on('error', () => end.destroy());
  });
  const port = await listening(proxy);
  const server = await openFaultyServer({ list: [listOf(1)], watch: [] });
  onTestFinished(server.close);
  const origin = server.origin;
  const through = (environment: Record<string, string>) => {
    const opened = openKubeClient(
      { credentials: credentialsOf(origin), metrics: createMetricsRegistry() },
      { environment },
    );
    onTestFinished(opened.close);
    return opened.transport.send(list);
  };
  await through({ HTTP_PROXY: `http://127.0.0.1:${port}` });
  expect([...plain, ...tunnels]).toHaveLength(1);
  await through({ http_proxy: `http://127.0.0.1:${port}`, no_proxy: '127.0.0.1' });
  expect([...plain, ...tunnels]).toHaveLength(1);
  expect(server.seen).toHaveLength(plain.length === 0 ? 2 : 1);
});

it('a lease is renewed while every connection of other requests hangs, and a hung renewal is tried again', async () => {
  let version = 1;
  const hung: string[] = [];
  const server = createServer((request, response) => {
    const isLease = request.url?.includes('/leases') ?? false;
    if (!isLease || hung.length === 0) {
      if (isLease) hung.push('lease');
      // Never answered: neither any other request nor the first one for the lease.
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(404).end('{}');
      const lease = JSON.parse(body) as { metadata: object };
      response.end(
        JSON.stringify({ ...lease, metadata: { ...lease.metadata, resourceVersion: `${version++}` } }),
      );
    });
  });
  const port = await listening(server);
  const opened = openKubeClient({
    credentials: credentialsOf(`http://127.0.0.1:${port}`),
    metrics: createMetricsRegistry(),
  });
  onTestFinished(opened.close);
  const others = Array.from({ length: 40 }, () =>
    opened.client.get(KINDS.configMap, { namespace: 'n', name: 'a' }).catch(() => undefined),
  );
  const election = new LeaderElection(
    {
      namespace: 'n',
      name: 'lead',
      identity: 'me',
      leaseMs: 15_000,
      renewDeadlineMs: 10_000,
      retryMs: 10,
    },
    { client: opened.beside(200), logger: silentLogger },
  );
  expect(await election.acquire()).toBe(true);
  await vi.waitFor(() => expect(version).toBeGreaterThan(3), patient);
  expect(election.isLeading).toBe(true);
  await election.close();
  server.close();
  server.closeAllConnections();
  await Promise.all(others);
});
