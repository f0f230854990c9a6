import type { ServerHttp2Stream } from 'node:http2';
import type { Server as NetServer, Socket } from 'node:net';
import { CodedError, CrashBoundary } from '@chain/platform';
import { ConnectionShares } from '@chain/platform/servers';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { createGrpcListener, type GrpcListener } from './grpcListener.ts';
import type { GrpcDeps, GrpcOptions } from './grpcOptions.ts';
import { addHealth } from './health.ts';
import { PartialMessages } from './partialMessages.ts';
import { addQueryServices } from './queryHandlers.ts';
import { addReflection } from './reflection.ts';
import { ServerStreams } from './serverStreams.ts';
import { tokenCheck } from './tokenCheck.ts';

export interface GrpcServer {
  readonly address: string;
  readonly port: number;
  /** Lets calls under way finish for some seconds, then cuts. Idempotent. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 5_000;
const KEEP_ALIVE_MS = 60_000;
/** How long clients take to read an answer. */
const SEND_MS = 30_000;
const MAX_PARTIAL_BYTES = 128 * 1024 * 1024;
/** The pieces of a message are so large on average, but for a few: clients send frames of 16 KiB. */
const USUAL_PIECE_BYTES = 1024;
const FEW_PIECES = 64;

/** Opens and listens. Throws GRPC_CANNOT_LISTEN. */
export async function openGrpcServer(options: GrpcOptions, deps: GrpcDeps): Promise<GrpcServer> {
  const { limits, access = {} } = options;
  const server = new Server({
    'grpc.max_receive_message_length': limits.receiveBytes,
    'grpc.max_send_message_length': limits.sendBytes,
    'grpc.max_concurrent_streams': limits.streams,
    'grpc.max_connection_idle_ms': limits.idleTimeoutMs,
    'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
    interceptors: access.admits ? [tokenCheck(access.admits)] : [],
  });
  const served = addQueryServices(server, limits, deps);
  const stopServing = addHealth(server, [...served, ...addReflection(server, deps, served)]);
  // Sockets come through a server of our own: grpc-js has no bound of connections.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const boundary = new CrashBoundary({ name: 'grpc' }, deps);
  const partial = new PartialMessages({
    maxPartialBytes: limits.partialBytes ?? MAX_PARTIAL_BYTES,
    maxPieces: FEW_PIECES + Math.ceil(limits.receiveBytes / USUAL_PIECE_BYTES),
  });
  const shares = new ConnectionShares(limits.connections);
  const answerMs = limits.callTimeoutMs + SEND_MS;
  const created = (stream: ServerHttp2Stream): void => {
    partial.watch(stream);
    const socket = stream.session?.socket;
    if (socket) stream.once('close', shares.watch(socket, answering(stream, answerMs)));
  };
  const streams = new ServerStreams(boundary.guard(created));
  const take = (socket: Socket): void => {
    streams.mark(socket);
    injector.injectConnection(socket);
  };
  const listener = createGrpcListener(access, { take, boundary });
  shares.guard(listener.server);
  await listen(listener.server, options);
  const bound = listener.server.address();
  if (bound === null || typeof bound === 'string')
    throw new CodedError('GRPC_NO_ADDRESS', 'gRPC has no TCP address');
  let closed: Promise<void> | undefined;
  return {
    address: bound.address,
    port: bound.port,
    close: () => {
      closed ??= closeAll(listener, () => {
        stopServing();
        injector.drain(CLOSE_GRACE_MS);
        return server;
      }).finally(() => streams.close());
      return closed;
    },
  };
}

/** Whether a call has come whole and can still be under way: watches of health have no end. */
function answering(stream: ServerHttp2Stream, maxMs: number): () => boolean {
  const startedAt = performance.now();
  return () => stream.readableEnded && performance.now() - startedAt < maxMs;
}

function listen(listener: NetServer, { address, port }: GrpcOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  listener.once('error', (cause: NodeJS.ErrnoException) =>
    reject(
      new CodedError(
        'GRPC_CANNOT_LISTEN',
        `cannot serve gRPC on ${address}:${port} (${cause.code}); stop the program that uses it, or set [grpc] address in app.toml`,
        { fields: { address, port, reason: cause.code }, cause },
      ),
    ),
  );
  listener.listen(port, address, resolve);
  return promise;
}

async function closeAll(
  { server: listener, cut: cutHandshakes }: GrpcListener,
  drain: () => Server,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => void listener.close(() => resolve()));
  const server = drain();
  const cut = setTimeout(() => {
    server.forceShutdown();
    cutHandshakes();
  }, CLOSE_GRACE_MS);
  await stopped;
  clearTimeout(cut);
  server.forceShutdown();
}
