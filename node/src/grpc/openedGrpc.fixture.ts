import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { type Lifecycle, silentLogger } from '@chain/platform';
import type { QueryService } from '../ledgerQuery/index.ts';
import { openProtoSchema } from '../proto/index.ts';
import { openGrpcServer } from './openGrpcServer.ts';

const MIB = 1024 * 1024;
export const BALANCE = '/cosmos.bank.v1beta1.Query/Balance';
const LIMITS = {
  receiveBytes: 10 * MIB,
  sendBytes: MIB,
  connections: 100,
  streams: 100,
  calls: 100,
  callTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
};

/** A server that answers how many bytes a message has, once `before` has resolved; its port. */
export async function openGrpc(
  opened: Lifecycle,
  limits: object = {},
  before: () => Promise<void> = async () => undefined,
): Promise<number> {
  const answer = async (_path: string, { length }: Uint8Array) => {
    await before();
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    return { height: 1, bytes };
  };
  const queries = { paths: [BALANCE], answer } as unknown as QueryService;
  const server = await openGrpcServer(
    { address: '127.0.0.1', port: 0, limits: { ...LIMITS, ...limits } },
    { queries, schema: openProtoSchema(), logger: silentLogger },
  );
  return opened.own(server).port;
}

/** A client's connection, cut with the server. */
export function joinGrpc(opened: Lifecycle, port: number, localAddress = '127.0.0.1'): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, { localAddress } as object);
  session.on('error', () => undefined);
  opened.own({ close: async () => session.destroy() });
  return session;
}

export function callGrpc(session: ClientHttp2Session, path = BALANCE): ClientHttp2Stream {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  return session.request(headers).on('error', () => undefined);
}

/** What comes before a message of so many bytes. */
export function prefixOf(length: number): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

/** What a call is told: the bytes of its message, as the server has counted them. */
export async function answerTo(stream: ClientHttp2Stream): Promise<number> {
  return Buffer.concat(await stream.toArray()).readUInt32BE(5);
}
