import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { resolveTrust } from './resolveTrust.ts';

const SECRET = 'hunter2-S3cret';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const verdictOn = async (url: string): Promise<string> =>
  JSON.stringify(
    await resolveTrust(
      {
        chainId: 'test-1',
        rpcServers: [url],
        heightDelta: 10,
        roundTo: 0,
        minAgreeing: 1,
        maxServerLagMs: 60_000,
        periodMs: 604_800_000,
      },
      Date.now(),
    ),
  );

const json = (body: unknown): RequestListener => {
  return (_, response) => void response.end(JSON.stringify(body));
};

const words = { code: -1, message: SECRET, data: SECRET };
const status = (id: string, network: string, height: string) => ({
  result: {
    node_info: { id, network },
    sync_info: { latest_block_height: height, earliest_block_height: '1', latest_block_time: SECRET },
  },
});
const ANSWERS: readonly RequestListener[] = [
  (_, response) => void response.end(SECRET),
  (_, response) => void response.writeHead(500, SECRET).end(SECRET),
  json({ error: words }),
  json({ result: SECRET }),
  json({ result: { node_info: SECRET, sync_info: { [SECRET]: SECRET } } }),
  json(status('aa', `${SECRET} and more`, '5')),
  json(status(SECRET, 'test-1', SECRET)),
];

it.each(ANSWERS.map((answer, at) => [at, answer] as const))(
  'nothing of answer %i is told',
  async (_, answer) => {
    const told = await verdictOn(await served(answer));
    expect(told).toContain('TrustUnreachable');
    expect(told).not.toContain('hunter2');
  },
);

it('a server that redirects to another is not followed, nor told of', async () => {
  let reached = 0;
  const inside = await served((_, response) => {
    reached++;
    response.end(JSON.stringify({ error: words }));
  });
  const told = await verdictOn(
    await served((_, response) => void response.writeHead(307, { location: inside }).end()),
  );
  expect(told).toContain('redirects');
  expect([reached, told.includes('hunter2')]).toEqual([0, false]);
});

it('a server that answers without end is given up at the bound', async () => {
  const told = await verdictOn(
    await served((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
        response.once('drain', more);
      };
      more();
    }),
  );
  expect(told).toContain('more than 65536 bytes');
});
