import { connect, type Socket } from 'node:net';
import { CrashBoundary, silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { ClientBuckets } from '../limit/index.ts';
import { loadSettings } from '../settings/index.ts';
import { limiterMetrics } from './limiterMetrics.ts';
import { openProxyServer, type ProxyServer } from './openProxyServer.ts';
import { openRecordingNode, type RecordingNode } from './recordingNode.fixture.ts';

/** A proxy in front of a recording node, with a clock for its buckets that a test moves. */
export interface OpenedProxy {
  readonly proxy: ProxyServer;
  readonly node: RecordingNode;
  readonly url: string;
  readonly clock: { now: number; draining: boolean };
  /** Changes settings while it runs. */
  configure(flags: Readonly<Record<string, string>>): Promise<void>;
  /** Sends bytes, and gives all that comes back until the connection is closed. */
  raw(bytes: string | Buffer): Promise<string>;
  /** A connection of its own, for tests that need to hold it. */
  connect(): Socket;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Generous unless a test says otherwise: it is about something else than the rate. */
const GENEROUS = { 'limit.rate': '1000000', 'limit.burst': '1000000' };

export async function openProxy(flags: Readonly<Record<string, string>> = {}): Promise<OpenedProxy> {
  const node = await openRecordingNode();
  const base = { 'listen.port': '0', 'upstream.url': node.url, ...GENEROUS };
  const load = async (more: Readonly<Record<string, string>>) =>
    (await loadSettings({ file: undefined, environment: {}, flags: { ...base, ...more } })).settings;
  const settings = await load(flags);
  const clock = { now: 0, draining: false };
  const registry = createMetricsRegistry();
  const metrics = limiterMetrics(registry);
  const bucketsOf = ({ limit }: typeof settings) => ({
    rate: limit.rate,
    burst: limit.burst,
    maxClients: limit['max-clients'],
  });
  const buckets = new ClientBuckets(bucketsOf(settings), {
    now: () => clock.now,
    onEvicted: metrics.evicted,
  });
  const proxy = await openProxyServer(settings, {
    buckets,
    metrics,
    boundary: new CrashBoundary({ name: 'proxy' }, { logger: silentLogger, metrics: registry }),
    isDraining: () => clock.draining,
  });
  const sockets = new Set<Socket>();
  const open = (): Socket => {
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.add(socket);
    return socket;
  };
  return {
    proxy,
    node,
    url: `http://127.0.0.1:${proxy.port}`,
    clock,
    configure: async (more) => {
      const next = await load({ ...flags, ...more });
      buckets.configure(bucketsOf(next));
      proxy.configure(next);
    },
    raw: (bytes) =>
      new Promise((done) => {
        const socket = open();
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.on('close', () => done(Buffer.concat(chunks).toString('latin1')));
        socket.write(bytes);
      }),
    connect: open,
    metrics: () => registry.text(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await proxy.close();
      await node.close();
    },
  };
}
