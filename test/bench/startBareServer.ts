import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that sends the same bytes to whoever asks. */
export interface BareServer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** The physical limit here: node:http that parses the JSON and sends the answer that our node gave. */
export async function startBareServer(answer: Buffer): Promise<BareServer> {
  const server = fork(join(import.meta.dirname, 'bareServer.ts'));
  server.send(answer.toString('latin1'));
  const [port] = (await once(server, 'message')) as [number];
  return {
    name: 'bare node:http',
    url: `http://127.0.0.1:${port}`,
    pid: server.pid!,
    stop: () => void server.kill(),
  };
}

/** The bytes that a node answers with. */
export async function answerOf(url: string, body: string): Promise<Buffer> {
  const headers = { 'content-type': 'application/json' };
  return Buffer.from(await (await fetch(url, { method: 'POST', headers, body })).arrayBuffer());
}
