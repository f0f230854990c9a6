import { lstat, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { CodedError, hostAndPort, type Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { AbciConnection } from './abciConnection.ts';
import type { AbciHandlers } from './abciHandlers.ts';
import { parseSocketAddress, type SocketAddress } from './socketAddress.ts';

export interface AbciServerDeps {
  readonly handlers: AbciHandlers;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  /** Told when a handler has thrown, which ends CometBFT. */
  readonly onFailure?: (error: unknown) => void;
}

export interface AbciServer {
  /** What CometBFT's `proxy_app` must be; with port 0 the one that the system has chosen. */
  readonly address: string;
  /** Connections that are open; CometBFT opens four. */
  readonly connections: number;
  /** Waits for the requests in progress and hangs up. Idempotent. */
  close(): Promise<void>;
}

const BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/**
 * Serves ABCI 2.0 over a socket. `handlers` is asked anew for each request, so that its members may change while
 * connections are open. Throws CONSENSUS_ABCI_ADDRESS, CONSENSUS_ABCI_LISTEN.
 */
export async function openAbciServer(
  options: { readonly address: string },
  deps: AbciServerDeps,
): Promise<AbciServer> {
  const where = parseSocketAddress(options.address);
  const connections = new Set<AbciConnection>();
  const histogram = deps.metrics?.histogram({
    name: 'chain_consensus_abci_seconds',
    help: 'Time to answer a request of CometBFT, by its kind.',
    labels: ['kind'],
    buckets: BUCKETS,
  });
  const connected = (socket: Socket): void => {
    const connection = new AbciConnection(socket, {
      handlers: deps.handlers,
      logger: deps.logger,
      observe: (kind, seconds) => histogram?.observe(seconds, { kind }),
      onFailure: (kind, error) => {
        deps.logger.error('an ABCI request has failed', { kind, error });
        deps.onFailure?.(error);
      },
    });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  const server = createServer(connected);
  await listen(server, where, options.address);
  const close = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done));
    await Promise.all([...connections].map((connection) => connection.close()));
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    address: addressOf(server, where),
    get connections() {
      return connections.size;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function listen(server: Server, where: SocketAddress, address: string): Promise<void> {
  if ('path' in where) await removeStaleSocket(where.path);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  // Only the owner may speak for consensus.
  const umask = 'path' in where ? process.umask(0o077) : undefined;
  server.listen(where, resolve);
  if (umask !== undefined) process.umask(umask);
  await promise.catch((cause: NodeJS.ErrnoException) => {
    throw new CodedError(
      'CONSENSUS_ABCI_LISTEN',
      `cannot listen for CometBFT on ${address} (${cause.code}); end the other program there, or choose another address`,
      { fields: { address, reason: cause.code }, cause },
    );
  });
  server.off('error', reject);
}

/** A killed process leaves its socket behind. Anything but a socket stays, and makes listening fail. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket()) await unlink(path);
}

function addressOf(server: Server, where: SocketAddress): string {
  if ('path' in where) return `unix://${where.path}`;
  const { port } = server.address() as { port: number };
  return `tcp://${hostAndPort(where.host, port)}`;
}
