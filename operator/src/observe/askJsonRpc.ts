import { CodedError, messageOf } from '@chain/platform';

export interface JsonRpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
}

/**
 * One call of a node's JSON-RPC. Throws a RangeError with code and message where the node answers with an error, and
 * OBSERVE_NO_ANSWER where it does not answer: unreachable, too late, or something else than JSON-RPC.
 */
export async function askJsonRpc<T>(url: string, call: JsonRpcCall): Promise<T> {
  const { result, error } = await replyTo<T>(url, call);
  if (error) throw new RangeError(`${error.code} ${error.message}`);
  return result!;
}

interface Reply<T> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string };
}

async function replyTo<T>(url: string, { method, params, timeoutMs }: JsonRpcCall): Promise<Reply<T>> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    });
    const reply = (await response.json()) as Reply<T> | null;
    if (reply?.result === undefined && !reply?.error) throw new RangeError(`status ${response.status}`);
    return reply;
  } catch (cause) {
    const why = signal.aborted
      ? `nothing within ${timeoutMs / 1000} s`
      : messageOf((cause as Error).cause ?? cause);
    throw new CodedError('OBSERVE_NO_ANSWER', `${url} does not answer ${method}: ${why}`, {
      ...{ cause, fields: { url, method } },
    });
  }
}
