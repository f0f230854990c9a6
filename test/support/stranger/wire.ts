import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Limits by client count the stranger apart from everybody else on this machine. */
const STRANGER_ADDRESS = '127.0.0.66';
const ANSWER_MS = 60_000;
/** More of an answer is read, and not kept. */
const KEPT_CHARS = 4096;

export interface Answer {
  /** Of HTTP, or the code of what went wrong. */
  readonly status: string;
  /** Its beginning. */
  readonly text: string;
}

export function post(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      localAddress: STRANGER_ADDRESS,
      timeout: ANSWER_MS,
      headers: { 'content-type': 'application/json', ...headers },
    });
    let text = '';
    sent.on('response', (answer) => {
      answer.setEncoding('latin1').on('data', (chunk: string) => {
        text = (text + chunk).slice(0, KEPT_CHARS);
      });
      answer.on('error', ({ message }) => resolve({ status: message, text }));
      answer.on('end', () => resolve({ status: String(answer.statusCode), text }));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: error.code ?? error.message, text }),
    );
    sent.end(body);
  });
}

/** A connection that says this and then holds still; resolves when the other side has ended it. */
export function holdOpen(port: number, bytes: string | Uint8Array, held: Set<Socket>): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: STRANGER_ADDRESS });
    held.add(socket);
    // What comes is not read: it fills the buffers of the other side.
    socket.pause();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      held.delete(socket);
      resolve({ status: 'ended', text: '' });
    });
    socket.write(bytes);
  });
}
