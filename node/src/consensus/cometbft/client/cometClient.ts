import { Agent, request } from 'node:http';
import { CodedError, JSON_LIMITS, messageOf, parseJson } from '@chain/platform';

/** One call of CometBFT's RPC: 64-bit integers as strings, bytes as base64, hashes as the method wants them. */
export interface CometCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** CometBFT's own RPC, which only this node talks to. */
export interface CometClient {
  /** The result as parsed JSON. Throws CONSENSUS_COMET_DOWN; CONSENSUS_COMET_REFUSED with its words as message. */
  call(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Several calls in one request; a refusal is the error of its call alone. Throws CONSENSUS_COMET_DOWN. */
  batch(calls: readonly CometCall[]): Promise<readonly (unknown | CodedError)[]>;
  close(): void;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

const TIMEOUT_MS = 15_000;
const CONNECTIONS = 8;

/** `address`: `unix:///run/comet.sock`, or `http://127.0.0.1:26657` (`tcp://` is the same). */
export function createCometClient(options: {
  readonly address: string;
  readonly timeoutMs?: number;
}): CometClient {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const where = options.address.startsWith('unix://')
    ? { socketPath: options.address.slice('unix://'.length) }
    : hostOf(options.address);
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  const post = (calls: readonly CometCall[]): Promise<Answer[]> => {
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    return exchange({ ...where, agent, timeout, path: '/', method: 'POST' }, body);
  };
  const batch: CometClient['batch'] = async (calls) => {
    const answers = new Map((await post(calls)).map((answer) => [answer.id, answer]));
    return calls.map((call, id) => outcomeOf(call, answers.get(id)));
  };
  return {
    batch,
    call: async (method, params = {}) => {
      const [outcome] = await batch([{ method, params }]);
      if (outcome instanceof CodedError) throw outcome;
      return outcome;
    },
    close: () => agent.destroy(),
  };
}

function hostOf(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address.replace(/^tcp:/, 'http:'));
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function outcomeOf({ method }: CometCall, answer: Answer | undefined): unknown {
  if (!answer) return down(`no answer to ${method}`);
  const { error, result } = answer;
  if (!error) return result;
  return new CodedError('CONSENSUS_COMET_REFUSED', error.data || error.message, {
    fields: { method, code: error.code },
  });
}

function down(reason: string, cause?: unknown): CodedError {
  return new CodedError('CONSENSUS_COMET_DOWN', `CometBFT does not answer: ${reason}`, { cause });
}

function exchange(options: Parameters<typeof request>[1] & object, body: string): Promise<Answer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer[]>();
  const fail = (error: unknown): void => reject(down(messageOf(error), error));
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request({ ...options, headers }, (response) => {
    const pieces: Buffer[] = [];
    let length = 0;
    response.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > JSON_LIMITS.maxBytes)
        sent.destroy(new RangeError(`more than ${JSON_LIMITS.maxBytes} bytes`));
      else pieces.push(piece);
    });
    response.on('error', fail);
    response.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      try {
        const parsed = parseJson(text) as Answer | Answer[];
        resolve(Array.isArray(parsed) ? parsed : [parsed]);
      } catch {
        fail(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`);
      }
    });
  });
  sent.on('error', fail);
  sent.on('timeout', () => sent.destroy(new CodedError('CONSENSUS_COMET_DOWN', 'it took too long')));
  sent.end(body);
  return promise;
}
