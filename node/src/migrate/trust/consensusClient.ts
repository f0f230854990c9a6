import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, oneLine, parseJson } from '@chain/platform';
import { askHttp, type HttpAnswer } from '@chain/platform/client';
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
/** Of one answer: values of an `abci_query` and blocks are the largest. */
const MAX_BYTES = 64 << 20;
/** Pages of validators. */
const MAX_PAGES = 1000;

const PEER_ID = /^[0-9a-f]{40}$/;

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
      for (let page = 1; page <= MAX_PAGES; page++) {
        const answer = (await call('validators', { page: String(page), per_page: String(PAGE) })) as {
          readonly validators: readonly { readonly address: string }[];
          readonly total: string;
        };
        found.push(...answer.validators.map(({ address }) => address.toUpperCase()));
        if (answer.validators.length === 0 || found.length >= Number(answer.total)) break;
      }
      return found;
    },
    query: async (path, data, height) => {
      const { response } = (await call('abci_query', {
        path,
        data: Buffer.from(data).toString('hex'),
        height: String(height),
      })) as { readonly response: { code?: number; log?: string; value?: string | null } };
      if (response.code) {
        throw failed(base, 'abci_query', `code ${Number(response.code)}`);
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

function post(base: string, body: string): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/json' };
  return askHttp(base, { method: 'POST', headers, body, timeoutMs: TIME_LIMIT_MS, maxBytes: MAX_BYTES });
}

async function request(base: string, method: string, params: Record<string, unknown>): Promise<Json> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    let response = await post(base, body);
    for (let tries = 0; response.status === 429 && tries < PATIENCE; tries++) {
      await pause(1000 * Math.min(5, Number(response.headers['retry-after']) || 1));
      response = await post(base, body);
    }
    return resultIn(response) ?? noResult(response.status);
  } catch (cause) {
    throw failed(base, method, messageOf(cause), cause);
  }
}

/** Nothing of what a server says in place of a result is told: where the address came from a tenant, so would it. */
function noResult(status: number): never {
  throw new RangeError(`HTTP ${status} without a result`);
}

function resultIn({ body }: HttpAnswer): Json | undefined {
  try {
    const { result } = parseJson(body) as { readonly result?: Json };
    return result ?? undefined;
  } catch {
    return undefined;
  }
}

function parseStatus(result: {
  readonly node_info: { readonly id: string; readonly network: string; readonly listen_addr: string };
  readonly sync_info: Readonly<Record<string, string | boolean>>;
}): ServerStatus {
  const { node_info: node, sync_info: sync } = result;
  return {
    nodeId: oneLine(node.id, 40),
    network: oneLine(node.network, 64),
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
  const hash = oneLine(result.block_id.hash.toUpperCase(), 64);
  return { hash, appHash: oneLine(appHash.toUpperCase(), 64), time: Date.parse(time) };
}

function parsePeers(result: {
  readonly peers?: readonly {
    readonly remote_ip: string;
    readonly node_info: { readonly id: string; readonly listen_addr: string };
  }[];
}): Peer[] {
  return (result.peers ?? []).flatMap(({ remote_ip: host, node_info: { id, listen_addr: listens } }) => {
    const port = portOf(listens);
    // It goes into config.toml.
    return port === undefined || !PEER_ID.test(id) || isIP(host) === 0 ? [] : [{ id, host, port }];
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
