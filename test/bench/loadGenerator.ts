import { connect, type Socket } from 'node:net';

export interface Load {
  readonly url: string;
  /** JSON-RPC bodies, sent round-robin. */
  readonly bodies?: readonly string[];
  /** Or paths that are got. */
  readonly paths?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Requests a second over keep-alive connections, each with one request in flight. Raw sockets: the client stays cheap. */
export async function measureRequestRate(load: Load): Promise<number> {
  const { url, connections, seconds } = load;
  const { hostname, port, host } = new URL(url);
  const requests = requestsOf(load, host);
  let answered = 0;
  let sent = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      const next = () => socket.write(requests[sent++ % requests.length]!);
      const onAnswer = answerCounter(() => {
        answered++;
        if (performance.now() < end) next();
        else socket.destroy();
      });
      socket
        .on('connect', next)
        .on('data', onAnswer)
        .on('error', reject)
        .on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return answered / ((performance.now() - started) / 1000);
}

function requestsOf({ bodies = [], paths = [] }: Load, host: string): Buffer[] {
  const post = (body: string) =>
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  return [...bodies.map(post), ...paths.map(get)].map((request) => Buffer.from(request));
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
