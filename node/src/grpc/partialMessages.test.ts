import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type ServerHttp2Stream,
} from 'node:http2';
import { connect as dial } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Lifecycle } from '@chain/platform';
import { afterEach, expect, it } from 'vitest';
import { answerTo, BALANCE, callGrpc, joinGrpc, openGrpc, prefixOf } from './openedGrpc.fixture.ts';
import { PartialMessages } from './partialMessages.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MIB = 1024 * 1024;
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
let opened = new Lifecycle();
const closed: (() => void)[] = [];
afterEach(async () => {
  for (const close of closed.splice(0)) close();
  await opened.close();
  opened = new Lifecycle();
});

const open = (limits?: object): Promise<number> => openGrpc(opened, limits);
const join = (port: number): ClientHttp2Session => joinGrpc(opened, port);

/** Also when it ends by an error. */
const closing = (stream: ClientHttp2Stream): Promise<void> =>
  new Promise((done) => void stream.once('close', done));

const { NGHTTP2_ENHANCE_YOUR_CALM: CALM } = constants;
const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, windowUpdate: 8 };

function frame(type: number, stream: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
/** POST, http, and by name: path, authority, content-type, te. */
const HEADERS = Buffer.concat([
  ...[Buffer.of(0x83, 0x86, 0x04), text(BALANCE), Buffer.of(0x01), text('localhost')],
  ...[Buffer.of(0x0f, 0x10), text('application/grpc'), Buffer.of(0x00), text('te'), text('trailers')],
]);

function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('watches of health keep neither large names nor unknown ones', async () => {
  const port = await open();
  const watch = (session: ClientHttp2Session, name: Buffer): ClientHttp2Stream => {
    const length = Buffer.of((name.length & 0x7f) | 0x80, name.length >> 7);
    const stream = callGrpc(session, '/grpc.health.v1.Health/Watch');
    return stream.end(Buffer.concat([prefixOf(name.length + 3), Buffer.of(0x0a), length, name]));
  };
  const [trailers] = (await once(watch(join(port), Buffer.alloc(10_000, 'x')), 'response')) as [object];
  expect(trailers).toMatchObject({ 'grpc-status': '13', 'grpc-message': 'Error%20deserializing%20request' });
  const watchMany = async (round: number): Promise<void> => {
    const session = join(port);
    const names = Array.from({ length: 100 }, (_, i) => Buffer.from(`${round}.${i}`.padEnd(4000, 'x')));
    const messages = await Promise.all(names.map((name) => once(watch(session, name), 'data')));
    // SERVICE_UNKNOWN
    for (const [message] of messages) expect([...(message as Buffer)]).toEqual([0, 0, 0, 0, 2, 8, 3]);
    session.destroy();
  };
  for (let round = 0; round < 10; round++) await watchMany(round);
  const before = held();
  for (let round = 10; round < 60; round++) await watchMany(round);
  await expect.poll(() => held() - before).toBeLessThan(10 * MIB);
});

it('a message in frames of one byte ends its stream, and takes little memory until then', async () => {
  const before = held();
  const port = await open();
  const socket = dial(port, '127.0.0.1').on('error', () => undefined);
  closed.push(() => socket.destroy());
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(FRAME.settings, 0, Buffer.alloc(0)));
  socket.write(frame(FRAME.headers, 1, HEADERS, constants.NGHTTP2_FLAG_END_HEADERS));
  socket.write(frame(FRAME.data, 1, prefixOf(5 * MIB)));
  const one = frame(FRAME.data, 1, Buffer.from('x'));
  const windows = [65_530, 65_530];
  let sent = 0;
  let max = 0;
  let reset: number | undefined;
  const send = (): void => {
    const count = Math.min(...windows, 400_000 - sent);
    for (const i of [0, 1]) windows[i]! -= count;
    sent += count;
    if (count > 0) socket.write(Buffer.concat(new Array<Buffer>(count).fill(one)));
  };
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const [size, type, stream] = [rest.readUIntBE(0, 3), rest[3], rest.readUInt32BE(5)];
      if (type === FRAME.windowUpdate) windows[stream === 0 ? 0 : 1]! += rest.readUInt32BE(9);
      if (type === FRAME.reset) reset = rest.readUInt32BE(9);
      rest = rest.subarray(9 + size);
    }
    max = Math.max(max, held() - before);
    if (reset === undefined) send();
  });
  send();
  await expect.poll(() => reset ?? sent >= 400_000, { timeout: 20_000 }).toBe(CALM);
  expect(max).toBeLessThan(24 * MIB);
  // It holds nothing of what others may hold any more.
  const other = callGrpc(join(port));
  await new Promise((done) => void other.write(prefixOf(MIB), done));
  other.end(Buffer.alloc(MIB));
  expect(await answerTo(other)).toBe(MIB);
});

it('messages that are not whole take so much in all, and those that began first give way', async () => {
  const session = join(await open({ partialBytes: 2 * MIB }));
  const begin = async (): Promise<ClientHttp2Stream> => {
    const stream = callGrpc(session);
    stream.write(prefixOf(MIB));
    await new Promise((done) => void stream.write(Buffer.alloc(256 * 1024), done));
    return stream;
  };
  const first = await begin();
  const ended = closing(first);
  const others: ClientHttp2Stream[] = [];
  while (others.length < 12) others.push(await begin());
  await ended;
  expect(first.rstCode).toBe(CALM);
  const last = others.at(-1)!;
  last.end(Buffer.alloc(768 * 1024));
  expect(await answerTo(last)).toBe(MIB);
});

it('what still comes from a stream after its end takes no room', async () => {
  const partial = new PartialMessages({ maxPartialBytes: 100_000, maxPieces: 1000 });
  const watched = (): ServerHttp2Stream => {
    const stream = new PassThrough() as unknown as ServerHttp2Stream;
    stream.close = () => stream.destroy();
    partial.watch(stream);
    return stream;
  };
  const piece = Buffer.concat([prefixOf(MIB), Buffer.alloc(20_000)]);
  const [ended, open] = [watched(), watched()];
  ended.destroy();
  await once(ended, 'close');
  for (let i = 0; i < 10; i++) ended.emit('data', piece);
  open.emit('data', piece);
  expect(open.destroyed).toBe(false);
  for (let i = 0; i < 10; i++) open.emit('data', piece);
  expect(open.destroyed).toBe(true);
});

it('messages of the usual frames come whole, however large, and many on one stream', async () => {
  const session = join(await open());
  const large = callGrpc(session);
  large.end(Buffer.concat([prefixOf(9 * MIB), Buffer.alloc(9 * MIB)]));
  expect(await answerTo(large)).toBe(9 * MIB);
  const stream = callGrpc(session, REFLECTION);
  let answered = 0;
  stream.on('data', (data: Buffer) => {
    answered += data.length;
  });
  // Each asks for a file that is not there, in two frames; all have more frames than one message may have.
  const [head, body] = [prefixOf(3), Buffer.of(0x1a, 1, 0x78)];
  for (let i = 0; i < 6000; i++) {
    stream.write(head);
    if (!stream.write(body)) await once(stream, 'drain');
  }
  stream.end();
  await closing(stream);
  expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  expect(answered).toBeGreaterThan(6000 * 5);
});
