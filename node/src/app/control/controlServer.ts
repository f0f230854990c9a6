import { mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isCodedError, type Logger, messageOf, writeFileDurably } from '@chain/platform';
import { CONTROL_FILE, type ControlStatus, type SampledRow } from '../../migrate/index.ts';
import { socketDirectory } from '../socketDirectory.ts';

/** What a process lets its owner do with the node in it. */
export interface Controls {
  status(): ControlStatus;
  /** Resolves once the node is closed; the process stays. */
  park(): Promise<void>;
  /** Opens a parked node again; what comes of it is told by `status`. */
  resume(): void;
  /** Rows of the EVM state as SS has them. Throws APP_… where the height is not readable. */
  sample(height: number, count: number): Promise<readonly SampledRow[]>;
}

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * A socket in the home that only its owner can open: `GET /status`, `GET /sample`, `POST /park`, `POST /resume`.
 * Where it is stands in `<home>/run/control.json`.
 */
export async function openControlServer(
  home: string,
  { controls, logger }: { readonly controls: Controls; readonly logger: Logger },
): Promise<ControlServer> {
  const socket = join(await socketDirectory(home), 'control.sock');
  await rm(socket, { force: true });
  const server = createServer((request, response) => {
    answer(request, controls).then(
      (value) => send(response, 200, value === undefined ? '' : JSON.stringify(value)),
      (error: unknown) => {
        logger.warn('A request on the control socket has failed', { path: request.url, error });
        send(response, isCodedError(error) ? 409 : 500, messageOf(error));
      },
    );
  });
  await listen(server, socket);
  await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 });
  await writeFileDurably(join(home, CONTROL_FILE), `${JSON.stringify({ pid: process.pid, socket })}\n`);
  let closing: Promise<void> | undefined;
  return {
    close: () => {
      closing ??= closed(server, join(home, CONTROL_FILE));
      return closing;
    },
  };
}

async function answer({ method, url = '' }: IncomingMessage, controls: Controls): Promise<unknown> {
  const { pathname, searchParams } = new URL(url, 'http://control');
  const number = (name: string): number => Number(searchParams.get(name) ?? 0);
  switch (`${method} ${pathname}`) {
    case 'GET /status':
      return controls.status();
    case 'GET /sample':
      return controls.sample(number('height'), number('count'));
    case 'POST /park':
      return controls.park();
    case 'POST /resume':
      return controls.resume();
    default:
      throw new RangeError(`the control socket has no ${method} ${pathname}`);
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

async function listen(server: Server, socket: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  // Only the owner may stop the node.
  const umask = process.umask(0o077);
  server.listen(socket, resolve);
  process.umask(umask);
  await promise;
  server.off('error', reject);
}

async function closed(server: Server, file: string): Promise<void> {
  await rm(file, { force: true });
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
}
