import { CodedError, messageOf, parseJson } from '@chain/platform';
import { askHttp } from '@chain/platform/client';

export interface ServerStatus {
  readonly nodeId: string;
  readonly network: string;
  readonly latest: number;
  readonly earliest: number;
  /** Unix milliseconds. */
  readonly latestTime: number;
  readonly catchingUp: boolean;
}

/** The consensus RPC of somebody else, as far as a trusted block needs it. */
export interface ConsensusRpc {
  status(): Promise<ServerStatus>;
  /** Hash, upper-case hex, and time of a block. */
  block(height: number): Promise<{ readonly hash: string; readonly time: number }>;
}

interface CallLimits {
  readonly timeoutMs: number;
  /** Waits until a call may be made. */
  readonly inSlot: <T>(call: () => Promise<T>) => Promise<T>;
}

/** Of an answer; a commit has some 250 bytes a validator. */
const MAX_BYTES = { status: 1 << 16, commit: 1 << 19 } as const;
const HEX = /^[0-9A-Fa-f]{1,64}$/;
const CHAIN_ID = /^[\w.:-]{1,64}$/;

/**
 * Throws TRUST_SERVER for whatever comes instead of an answer. Nothing that a server has sent is told but chain ids,
 * hashes and numbers: a tenant names the servers, and one may be a service that the tenant cannot reach.
 */
export function consensusRpc(url: string, { timeoutMs, inSlot }: CallLimits): ConsensusRpc {
  const call = async <T>(
    path: string,
    maxBytes: number,
    read: (result: never) => T | undefined,
  ): Promise<T> => {
    try {
      return await inSlot(async () => {
        const { status, body } = await askHttp(`${url.replace(/\/$/, '')}/${path}`, { timeoutMs, maxBytes });
        const found = resultIn(body, read);
        if (found === undefined) throw failed(url, `HTTP ${status} without the answer of a consensus RPC`);
        return found;
      });
    } catch (error) {
      if (error instanceof CodedError && error.code === 'TRUST_SERVER') throw error;
      throw failed(url, messageOf(error));
    }
  };
  return {
    status: () => call('status', MAX_BYTES.status, statusIn),
    block: (height) => call(`commit?height=${height}`, MAX_BYTES.commit, blockIn),
  };
}

/** `undefined` for JSON of another shape, and for what is no JSON. */
function resultIn<T>(body: string, read: (result: never) => T | undefined): T | undefined {
  try {
    return read((parseJson(body) as { readonly result: never }).result);
  } catch {
    return undefined;
  }
}

function statusIn({
  node_info: info,
  sync_info: sync,
}: {
  readonly node_info: { readonly id: string; readonly network: string };
  readonly sync_info: Readonly<Record<string, string | boolean>>;
}): ServerStatus | undefined {
  const [latest, earliest] = [Number(sync.latest_block_height), Number(sync.earliest_block_height)];
  const latestTime = Date.parse(String(sync.latest_block_time));
  const isWhole = HEX.test(info.id) && CHAIN_ID.test(info.network) && isHeight(latest) && isHeight(earliest);
  if (!isWhole || Number.isNaN(latestTime)) return undefined;
  const { id: nodeId, network } = info;
  return { nodeId, network, latest, earliest, latestTime, catchingUp: sync.catching_up === true };
}

const isHeight = (height: number): boolean => Number.isSafeInteger(height) && height >= 0;

function blockIn({
  signed_header: { header, commit },
}: {
  readonly signed_header: {
    readonly header: { readonly time: string };
    readonly commit: { readonly block_id: { readonly hash: string } };
  };
}): { readonly hash: string; readonly time: number } | undefined {
  const { hash } = commit.block_id;
  const time = Date.parse(header.time);
  return HEX.test(hash) && !Number.isNaN(time) ? { hash: hash.toUpperCase(), time } : undefined;
}

const failed = (url: string, why: string): CodedError =>
  new CodedError('TRUST_SERVER', `${url} gives no answer (${why})`, { fields: { url } });
