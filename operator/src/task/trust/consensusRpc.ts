import { CodedError } from '@chain/platform';

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
  /** Hash, upper-case hex, and time. */
  block(height: number): Promise<{ readonly hash: string; readonly time: number }>;
}

/** Throws TRUST_SERVER for whatever comes instead of an answer. */
export function consensusRpc(url: string, timeoutMs: number): ConsensusRpc {
  const call = async <T>(path: string): Promise<T> => {
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
      if (result !== undefined) return result;
      throw failed(url, error?.message ?? `status ${response.status}`);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      const { message, cause } = error as Error;
      throw failed(url, cause instanceof Error ? cause.message : message);
    }
  };
  return {
    status: async () => {
      const { node_info: info, sync_info: sync } = await call<{
        readonly node_info: { readonly id: string; readonly network: string };
        readonly sync_info: Readonly<Record<string, string | boolean>>;
      }>('status');
      return {
        ...{ nodeId: info.id, network: info.network, catchingUp: sync.catching_up === true },
        ...{ latest: Number(sync.latest_block_height), earliest: Number(sync.earliest_block_height) },
        latestTime: Date.parse(String(sync.latest_block_time)),
      };
    },
    block: async (height) => {
      const { block_id: id, block } = await call<{
        readonly block_id: { readonly hash: string };
        readonly block: { readonly header: { readonly time: string } };
      }>(`block?height=${height}`);
      return { hash: id.hash.toUpperCase(), time: Date.parse(block.header.time) };
    },
  };
}

const failed = (url: string, why: string): CodedError =>
  new CodedError('TRUST_SERVER', `${url} gives no answer (${why})`, { fields: { url } });
