import { setTimeout as pause } from 'node:timers/promises';
import { migrationErrors } from '../migrationErrors.ts';

export interface ServerStatus {
  readonly nodeId: string;
  readonly network: string;
  readonly latestHeight: number;
  readonly earliestHeight: number;
  /** Unix milliseconds. */
  readonly latestTime: number;
  readonly catchingUp: boolean;
  /** As the node says it, such as `tcp://0.0.0.0:26656`. */
  readonly listenAddress: string;
}

export interface BlockSummary {
  /** Hex, upper case. */
  readonly hash: string;
  /** Of the state before this block; hex, upper case. */
  readonly appHash: string;
  /** Unix milliseconds. */
  readonly time: number;
}

export interface Peer {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

/** One consensus RPC, as far as a migration asks it. Every call throws MIGRATE_TRUST naming the server. */
export interface ConsensusClient {
  readonly url: string;
  status(): Promise<ServerStatus>;
  block(height: number): Promise<BlockSummary>;
  peers(): Promise<readonly Peer[]>;
  /** Addresses of the newest validators; hex, upper case. */
  validators(): Promise<readonly string[]>;
  /** Values at a height by raw query path; `undefined` for what is not there. */
  query(path: string, data: Uint8Array, height: number): Promise<Uint8Array | undefined>;
}

const TIME_LIMIT_MS = 10_000;
/** A rate limiter before the server sends away so often; the wait is what it asks for, at most five seconds. */
const PATIENCE = 60;
const PAGE = 100;

type Json = Readonly<Record<string, unknown>>;

/** `url`: `http://host:port`; `tcp://` is the same. */
export function createConsensusClient(url: string): ConsensusClient {
  const base = baseOf(url);
  const call = (method: string, params: Record<string, unknown> = {}) => request(base, method, params);
  return {
    url: base,
    status: async () => parseStatus((await call('status')) as never),
    block: async (height) => parseBlock((await call('block', { height: String(height) })) as never),
    peers: async () => parsePeers((await call('net_info')) as never),
    validators: async () => {
      const found: string[] = [];
      for (let page = 1; ; page++) {
        const answer = (await call('validators', { page: String(page), per_page: String(PAGE) })) as {
          readonly validators: readonly { readonly address: string }[];
          readonly total: string;
        };
        found.push(...answer.validators.map(({ address }) => address.toUpperCase()));
        if (answer.validators.length === 0 || found.length >= Number(answer.total)) return found;
      }
    },
    query: async (path, data, height) => {
      const { response } = (await call('abci_query', {
        path,
        data: Buffer.from(data).toString('hex'),
        height: String(height),
      })) as { readonly response: { code?: number; log?: string; value?: string | null } };
      if (response.code) {
        throw failed(base, 'abci_query', `code ${response.code}: ${response.log ?? ''}`);
      }
      return response.value ? Buffer.from(response.value, 'base64') : undefined;
    },
  };
}

/** Throws MIGRATE_TRUST for what is no URL of a consensus RPC. */
function baseOf(text: string): string {
  const url = URL.parse(text.replace(/^tcp:/, 'http:'));
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') {
    return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  }
  throw migrationErrors.trust(
    `"${text}" is no address of a consensus RPC; write one with its scheme and port, such as http://rpc.example.com:26657`,
    { url: text },
  );
}

function post(base: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(base, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
}

async function request(base: string, method: string, params: Record<string, unknown>): Promise<Json> {
  let answer: { result?: Json; error?: { message?: string; data?: string } };
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    let response = await post(base, body);
    for (let tries = 0; response.status === 429 && tries < PATIENCE; tries++) {
      await response.body?.cancel();
      await pause(1000 * Math.min(5, Number(response.headers.get('retry-after')) || 1));
      response = await post(base, body);
    }
    answer = (await response.json()) as typeof answer;
  } catch (cause) {
    const { message, cause: deeper } = cause as Error;
    throw failed(base, method, deeper instanceof Error ? deeper.message : message, cause);
  }
  if (answer.result !== undefined) return answer.result;
  throw failed(base, method, `${answer.error?.message ?? 'no result'}: ${answer.error?.data ?? ''}`);
}

function parseStatus(result: {
  readonly node_info: { readonly id: string; readonly network: string; readonly listen_addr: string };
  readonly sync_info: Readonly<Record<string, string | boolean>>;
}): ServerStatus {
  const { node_info: node, sync_info: sync } = result;
  return {
    nodeId: node.id,
    network: node.network,
    listenAddress: node.listen_addr,
    latestHeight: Number(sync.latest_block_height),
    earliestHeight: Number(sync.earliest_block_height),
    latestTime: Date.parse(String(sync.latest_block_time)),
    catchingUp: sync.catching_up === true,
  };
}

function parseBlock(result: {
  readonly block_id: { readonly hash: string };
  readonly block: { readonly header: { readonly app_hash: string; readonly time: string } };
}): BlockSummary {
  const { app_hash: appHash, time } = result.block.header;
  return { hash: result.block_id.hash.toUpperCase(), appHash: appHash.toUpperCase(), time: Date.parse(time) };
}

function parsePeers(result: {
  readonly peers?: readonly {
    readonly remote_ip: string;
    readonly node_info: { readonly id: string; readonly listen_addr: string };
  }[];
}): Peer[] {
  return (result.peers ?? []).flatMap(({ remote_ip: host, node_info: { id, listen_addr: listens } }) => {
    const port = portOf(listens);
    return port === undefined ? [] : [{ id, host, port }];
  });
}

/** Of `tcp://0.0.0.0:26656` and the like. */
export function portOf(address: string): number | undefined {
  const port = Number(/:(\d{1,5})$/.exec(address)?.[1]);
  return port > 0 && port < 65_536 ? port : undefined;
}

function failed(url: string, method: string, why: string, cause?: unknown) {
  return migrationErrors.trust(
    `${url} does not answer "${method}" (${why.trim()}); check the address, or name another --trusted-rpc`,
    { url, method },
    cause,
  );
}
