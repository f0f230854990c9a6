import { parseJson } from '@chain/platform';
import { clientErrors } from './clientErrors.ts';

/** Calls of CometBFT's RPC by JSON over HTTP. */
export interface ConsensusClient {
  readonly url: string;
  /** The result. Throws CLIENT_UNREACHABLE, CLIENT_NOT_A_CONSENSUS_RPC, and CLIENT_CALL_FAILED with the node's text. */
  call<T>(method: string, params?: Readonly<Record<string, unknown>>): Promise<T>;
}

const TIME_LIMIT_MS = 30_000;

/** `node` is a URL, or CometBFT's `tcp://host:port`. Throws CLIENT_NODE_ADDRESS. */
export function openConsensusClient({ node }: { readonly node: string }): ConsensusClient {
  const url = urlOf(node);
  return {
    url,
    call: async <T>(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<T> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      }).catch((cause: unknown) => {
        throw clientErrors.unreachable(url, cause);
      });
      const { result, error } = answerOf(await response.text(), url, response.status);
      if (error) throw clientErrors.failed(url, method, error.data || error.message);
      if (result === undefined || result === null) throw clientErrors.notConsensusRpc(url, 'no result');
      return result as T;
    },
  };
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
}

function answerOf(text: string, url: string, status: number): Answer {
  try {
    const answer = parseJson(text) as Answer | null;
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Told below.
  }
  throw clientErrors.notConsensusRpc(url, `HTTP ${status}`);
}

function urlOf(node: string): string {
  const text = node.replace(/^tcp:\/\//, 'http://');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') throw clientErrors.address(node);
  return url.href.replace(/\/$/, '');
}
