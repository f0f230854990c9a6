import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { isCodedError, parseJson } from '@chain/platform';
import { migrationErrors } from './migrationErrors.ts';

/** What a running `chaind start` says on its control socket. */
export interface ControlStatus {
  readonly pid: number;
  readonly release: string;
  /** `parked`: closed, and standing by until it is told to start again. */
  readonly phase: 'starting' | 'syncing' | 'running' | 'parked' | 'stopping';
  readonly engine: string;
  readonly mode: string;
  readonly split: boolean;
  readonly backend: string;
  /** Settings given by flags or the environment: they win over the files. */
  readonly overrides: readonly string[];
  readonly height?: number;
  /** What a node that syncs is doing, such as `chunk 3 of 10`. */
  readonly progress?: string;
  /** Lowest versions of the base SS and, when split, of the EVM SS. */
  readonly floors?: { readonly base: number; readonly evm?: number };
  readonly jsonRpc?: string;
  readonly consensusRpc?: string;
  /** Why the newest start failed; the process is parked then. */
  readonly failure?: string;
}

/** A row of the EVM state; hex. */
export interface SampledRow {
  readonly key: string;
  readonly value: string;
}

/** `<home>/run/control.json`: where the running process listens. */
export interface ControlPlace {
  readonly pid: number;
  readonly socket: string;
}

export const CONTROL_FILE = 'run/control.json';

export interface ControlClient {
  /** `undefined` when no process answers. */
  status(): Promise<ControlStatus | undefined>;
  /** Closes the node; the process stays and waits. Resolves once it is closed. */
  park(): Promise<void>;
  /** Lets a parked process open the node again; resolves at once. */
  resume(): Promise<void>;
  /** `count` rows of the EVM state at `height`, evenly spread over all keys, as SS has them. */
  sample(height: number, count: number): Promise<readonly SampledRow[]>;
}

const STOP_LIMIT_MS = 120_000;

export function createControlClient(home: string): ControlClient {
  const call = async (method: string, path: string, timeoutMs = 30_000): Promise<unknown> => {
    const place = await placeOf(home);
    if (!place) {
      throw migrationErrors.running(
        `no node of ${home} has a control socket; start it with "chaind start", or use --stop-command and --start-command`,
        { home },
      );
    }
    return exchange(place.socket, { method, path, timeoutMs });
  };
  return {
    status: async () => {
      const place = await placeOf(home);
      if (!place) return undefined;
      try {
        return (await exchange(place.socket, {
          method: 'GET',
          path: '/status',
          timeoutMs: 10_000,
        })) as ControlStatus;
      } catch (error) {
        // A socket that a killed process left.
        if (isCodedError(error) && error.fields.unreachable === true) return undefined;
        throw error;
      }
    },
    park: async () => void (await call('POST', '/park', STOP_LIMIT_MS)),
    resume: async () => void (await call('POST', '/resume')),
    sample: async (height, count) =>
      (await call('GET', `/sample?height=${height}&count=${count}`)) as readonly SampledRow[],
  };
}

async function placeOf(home: string): Promise<ControlPlace | undefined> {
  try {
    return parseJson(await readFile(join(home, CONTROL_FILE), 'utf8')) as ControlPlace;
  } catch {
    return undefined;
  }
}

function exchange(
  socketPath: string,
  { method, path, timeoutMs }: { method: string; path: string; timeoutMs: number },
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const failed = (why: string, unreachable: boolean) =>
    migrationErrors.running(`${socketPath} does not answer ${path} (${why}); look at the node's log`, {
      socketPath,
      unreachable,
    });
  const outgoing = request({ socketPath, method, path, timeout: timeoutMs }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      if (response.statusCode === 200) resolve(text === '' ? undefined : parseJson(text));
      else reject(failed(text || `status ${response.statusCode}`, false));
    });
    response.on('error', (error) => reject(failed(error.message, false)));
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)));
  outgoing.on('error', (error: NodeJS.ErrnoException) =>
    reject(failed(error.message, error.code === 'ECONNREFUSED' || error.code === 'ENOENT')),
  );
  outgoing.end();
  return promise;
}
