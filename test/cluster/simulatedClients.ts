import { Agent, request } from 'node:http';

export interface ClientsLoad {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  /** Each client sends so many at once … */
  readonly atOnce: number;
  /** … and again after so long. */
  readonly everyMs: number;
}

/** What one client got, and when. */
export interface ClientTally {
  passed: number;
  refused: number;
  /** Anything but 200 and 429. */
  other: number;
  /** When each answer came, in ms, in order: it was decided shortly before. */
  readonly times: number[];
}

const CONNECTIONS = 64;

/** Many clients behind one trusted proxy, told apart by X-Forwarded-For. */
export async function simulateClients(load: ClientsLoad): Promise<ClientTally[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const clients = Array.from({ length: load.clients }, (_, i) => simulate(load, { agent, at: i }));
  const tallies = await Promise.all(clients);
  agent.destroy();
  return tallies;
}

/** What a bucket owes a client that asked at these times. */
export function owedBy({ rate, burst }: { rate: number; burst: number }, times: readonly number[]): number {
  let tokens = burst;
  let at = times[0] ?? 0;
  let owed = 0;
  for (const time of times) {
    tokens = Math.min(burst, tokens + ((time - at) * rate) / 1000);
    at = time;
    if (tokens < 1) continue;
    tokens--;
    owed++;
  }
  return owed;
}

async function simulate(
  { url, clients, seconds, atOnce, everyMs }: ClientsLoad,
  { agent, at }: { readonly agent: Agent; readonly at: number },
): Promise<ClientTally> {
  const address = `10.${at >> 8}.${at & 0xff}.1`;
  const tally: ClientTally = { passed: 0, refused: 0, other: 0, times: [] };
  const once = async (): Promise<void> => {
    const status = await ask(`${url}/health`, { agent, address });
    tally.times.push(performance.now());
    if (status === 200) tally.passed++;
    else if (status === 429) tally.refused++;
    else tally.other++;
  };
  await pause((everyMs * at) / clients);
  const first = performance.now();
  for (let due = first; due < first + seconds * 1000; due += everyMs) {
    await pause(due - performance.now());
    await Promise.all(Array.from({ length: atOnce }, once));
  }
  return tally;
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
