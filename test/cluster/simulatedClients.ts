import { Agent, request } from 'node:http';

export interface ClientsLoad {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  /** Of each client. */
  readonly perSecond: number;
}

/** What one client got. */
export interface ClientTally {
  passed: number;
  refused: number;
  /** Anything but 200 and 429. */
  other: number;
  /** From its first request to its last. */
  readonly seconds: number;
}

const CONNECTIONS = 64;

/** Many clients behind one trusted proxy, each at an even rate, told apart by X-Forwarded-For. */
export async function simulateClients(load: ClientsLoad): Promise<ClientTally[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const clients = Array.from({ length: load.clients }, (_, i) => simulate(load, { agent, at: i }));
  const tallies = await Promise.all(clients);
  agent.destroy();
  return tallies;
}

async function simulate(
  { url, seconds, perSecond, clients }: ClientsLoad,
  { agent, at }: { readonly agent: Agent; readonly at: number },
): Promise<ClientTally> {
  const gapMs = 1000 / perSecond;
  const address = `10.${at >> 8}.${at & 0xff}.1`;
  const tally = { passed: 0, refused: 0, other: 0, seconds: 0 };
  await pause((gapMs * at) / clients);
  const first = performance.now();
  let last = first;
  for (let due = first; due < first + seconds * 1000; due += gapMs) {
    await pause(due - performance.now());
    last = performance.now();
    const status = await ask(`${url}/health`, { agent, address });
    if (status === 200) tally.passed++;
    else if (status === 429) tally.refused++;
    else tally.other++;
  }
  return { ...tally, seconds: (last - first) / 1000 };
}

function pause(ms: number): Promise<void> {
  return new Promise((over) => setTimeout(over, Math.max(0, ms)));
}

function ask(url: string, { agent, address }: { agent: Agent; address: string }): Promise<number> {
  return new Promise((done, failed) => {
    request(url, { agent, headers: { 'x-forwarded-for': address } }, (response) => {
      response.resume().once('end', () => done(response.statusCode ?? 0));
    })
      .once('error', failed)
      .end();
  });
}
