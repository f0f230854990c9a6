import { connect, type Socket } from 'node:net';

export type Bodies = readonly string[] | (() => string);

export interface Load {
  readonly url: string;
  /** JSON-RPC bodies, sent round-robin, or what makes the next one: another each time. */
  readonly bodies?: Bodies;
  /** Or paths that are got. */
  readonly paths?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Requests a second over keep-alive connections, each with one request in flight. Raw sockets: the client stays cheap. */
export async function measureRequestRate(load: Load): Promise<number> {
  const { url, seconds } = load;
  const next = requestsOf(load, new URL(url).host);
  const started = performance.now();
  const end = started + seconds * 1000;
  let answered = 0;
  await drive(load, {
    next: () => (performance.now() < end ? next() : undefined),
    answered: () => void answered++,
  });
  return answered / ((performance.now() - started) / 1000);
}

/** Sends each body once: how many a second, and how long one in two and one in a hundred took at most, in ms. */
export async function replay({
  url,
  bodies,
  connections,
}: {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly connections: number;
}): Promise<{ rate: number; p50: number; p99: number }> {
  const next = requestsOf({ bodies }, new URL(url).host);
  const times: number[] = [];
  let sent = 0;
  const started = performance.now();
  await drive(
    { url, connections },
    {
      next: () => (sent++ < bodies.length ? next() : undefined),
      answered: (milliseconds) => void times.push(milliseconds),
    },
  );
  const rate = times.length / ((performance.now() - started) / 1000);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  return { rate, p50: at(0.5), p99: at(0.99) };
}

interface Drive {
  /** Nothing: the connection is done. */
  next(): Buffer | undefined;
  answered(milliseconds: number): void;
}

async function drive(
  { url, connections }: Pick<Load, 'url' | 'connections'>,
  { next, answered }: Drive,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let sentAt = 0;
      const send = (): void => {
        const request = next();
        sentAt = performance.now();
        if (request) socket.write(request);
        else socket.destroy();
      };
      const onAnswer = answerCounter(() => {
        answered(performance.now() - sentAt);
        send();
      });
      socket
        .on('connect', send)
        .on('data', onAnswer)
        .on('error', reject)
        .on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, one));
}

function requestsOf({ bodies = [], paths = [] }: Pick<Load, 'bodies' | 'paths'>, host: string): () => Buffer {
  const post = (body: string) =>
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  if (typeof bodies === 'function') return () => post(bodies());
  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const requests = [...bodies.map(post), ...paths.map(get)];
  let sent = 0;
  return () => requests[sent++ % requests.length]!;
}

/** Finds the end of each HTTP answer, by Content-Length or by the last chunk. */
function answerCounter(onAnswer: () => void): (data: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    for (let end = endOfAnswer(pending); end > 0; end = endOfAnswer(pending)) {
      pending = pending.subarray(end);
      onAnswer();
    }
  };
}

function endOfAnswer(bytes: Buffer): number {
  const headerEnd = bytes.indexOf('\r\n\r\n');
  if (headerEnd < 0) return 0;
  const header = bytes.subarray(0, headerEnd).toString('latin1');
  const length = /content-length: *(\d+)/i.exec(header)?.[1];
  if (length !== undefined) {
    const end = headerEnd + 4 + Number(length);
    return bytes.length >= end ? end : 0;
  }
  const last = bytes.indexOf('0\r\n\r\n', headerEnd + 4);
  return last < 0 ? 0 : last + 5;
}
