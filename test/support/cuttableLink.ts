import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP connection's way through this process, which can be cut and healed. */
export interface CuttableLink {
  readonly port: number;
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** Passes connections on to a port of the loopback address. */
export async function openLink(targetPort: number): Promise<CuttableLink> {
  const sockets = new Set<Socket>();
  let whole = true;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (!whole) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(targetPort, '127.0.0.1');
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.once('close', () => outgoing.destroy());
    outgoing.once('close', () => incoming.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      whole = false;
      drop();
    },
    heal: () => {
      whole = true;
    },
    close: async () => {
      drop();
      await new Promise((closed) => server.close(closed));
    },
  };
}
