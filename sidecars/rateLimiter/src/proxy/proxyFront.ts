import type { Socket } from 'node:net';
import { type IpBytes, peerAddress } from '@chain/platform';
import { readProxyHeader } from '../client/index.ts';
import type { Policy } from './policy.ts';

export interface ProxyFrontDeps {
  readonly policy: () => Policy;
  /** The connection may go on; `address` is who is at its other end. */
  readonly ready: (socket: Socket, address: IpBytes) => void;
  readonly malformed: (socket: Socket) => void;
}

/** Finds out who a new connection is from: its socket says, or the PROXY header of a trusted proxy. */
export function createProxyFront({ policy, ready, malformed }: ProxyFrontDeps): (socket: Socket) => void {
  return (socket) => {
    const address = peerAddress(socket.remoteAddress);
    const current = policy();
    if (!current.settings.clients['proxy-protocol'] || !current.isTrusted(address)) {
      ready(socket, address);
      return;
    }
    const timeoutMs = current.settings.http['header-timeout'];
    awaitHeader(socket, timeoutMs, (client) => {
      if (client === 'malformed') malformed(socket);
      else ready(socket, client ?? address);
    });
  };
}

/** Reads the header and puts back what stands behind it. Tells nothing when the peer leaves before. */
function awaitHeader(
  socket: Socket,
  timeoutMs: number,
  done: (client: IpBytes | undefined | 'malformed') => void,
): void {
  let pending: Buffer = Buffer.alloc(0);
  const finish = (client: IpBytes | undefined | 'malformed'): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('error', onGone).off('close', onGone);
    done(client);
  };
  const onGone = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const onReadable = (): void => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      pending = Buffer.concat([pending, chunk as Buffer]);
    }
    const header = readProxyHeader(pending);
    if (header === 'more') return;
    if (header === 'malformed') {
      finish('malformed');
      return;
    }
    const rest = pending.subarray(header.length);
    if (rest.length > 0) socket.unshift(rest);
    finish(header.client);
  };
  const timer = setTimeout(() => finish('malformed'), timeoutMs).unref();
  socket.on('readable', onReadable).on('error', onGone).on('close', onGone);
}
