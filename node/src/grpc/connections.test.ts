import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { Lifecycle } from '@chain/platform';
import { afterEach, expect, it } from 'vitest';
import { answerTo, callGrpc, joinGrpc, openGrpc, prefixOf } from './openedGrpc.fixture.ts';

const [CROWD, OTHER] = ['127.0.0.2', '127.0.0.3'];
const MAX = 3;
const WATCH = '/grpc.health.v1.Health/Watch';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

/** Connected, and counted; `undefined` when it is refused. */
async function join(port: number, from = CROWD): Promise<ClientHttp2Session | undefined> {
  const session = joinGrpc(opened, port, from);
  const closed = new Promise<false>((done) => void session.once('close', () => done(false)));
  return (await Promise.race([once(session, 'remoteSettings'), closed])) ? session : undefined;
}

async function crowd(port: number): Promise<ClientHttp2Session[]> {
  const sessions: ClientHttp2Session[] = [];
  while (sessions.length < MAX) sessions.push((await join(port))!);
  return sessions;
}

const closedOf = (sessions: readonly ClientHttp2Session[]): boolean[] => sessions.map(({ closed }) => closed);

it('a full listener has room for another client: the oldest connection of the largest one that answers nothing', async () => {
  let finish: () => void = () => undefined;
  const work = new Promise<void>((done) => {
    finish = done;
  });
  let begun = 0;
  const port = await openGrpc(opened, { connections: MAX }, () => {
    begun++;
    return work;
  });
  const sessions = await crowd(port);
  // The oldest works on a call, the second has one that is not whole.
  const answer = answerTo(callGrpc(sessions[0]!).end(prefixOf(0)));
  callGrpc(sessions[1]!).write(prefixOf(10));
  await expect.poll(() => begun).toBe(1);
  const newcomer = await join(port, OTHER);
  expect(newcomer).toBeDefined();
  await expect.poll(() => closedOf(sessions)).toEqual([false, true, false]);
  finish();
  expect(await answer).toBe(0);
  expect(await answerTo(callGrpc(newcomer!).end(prefixOf(0)))).toBe(0);
});

it('calls without an end keep no connection for longer than a call takes', async () => {
  // Neither for the call nor for its answer is there any time.
  const port = await openGrpc(opened, { connections: MAX, callTimeoutMs: -30_000 });
  const sessions = await crowd(port);
  for (const session of sessions) await once(callGrpc(session, WATCH).end(prefixOf(0)), 'data');
  expect(await join(port)).toBeUndefined();
  expect(await join(port, OTHER)).toBeDefined();
  await expect.poll(() => closedOf(sessions)).toEqual([true, false, false]);
});
