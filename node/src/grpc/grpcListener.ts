import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { CrashBoundary } from '@chain/platform';
import type { Access } from '@chain/platform/servers';

export interface GrpcListener {
  readonly server: Server;
  /** Ends handshakes under way, of which gRPC does not know. */
  cut(): void;
}

const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Takes connections, through TLS where `access` has it; later certificates hold for the connections after them. */
export function createGrpcListener(
  { tls }: Access,
  { take, boundary }: { readonly take: (socket: Socket) => void; readonly boundary: CrashBoundary },
): GrpcListener {
  const guarded = boundary.guard(take, (socket) => socket.destroy());
  if (!tls) return { server: createServer({ noDelay: true }, guarded), cut: () => undefined };
  const options = { noDelay: true, ALPNProtocols: ['h2'], handshakeTimeout: HANDSHAKE_TIMEOUT_MS };
  const server = createSecureServer({ ...options, ...tls.current }, guarded);
  tls.onChange((pair) => server.setSecureContext(pair));
  const raw = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    raw.add(socket);
    socket.once('close', () => raw.delete(socket));
  });
  const cut = (): void => {
    for (const socket of raw) socket.destroy();
  };
  return { server, cut };
}
