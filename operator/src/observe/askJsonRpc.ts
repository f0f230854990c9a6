import { CodedError, isCodedError, messageOf, oneLine, parseJson } from '@chain/platform';
import { askHttp } from '@chain/platform/client';

export interface JsonRpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
}

/** Of one answer. JSON of so many bytes may come to twenty times as much memory. */
const MAX_BYTES = 4 << 20;

/**
 * One call of a node's JSON-RPC. Throws a RangeError with code and message where the node answers with an error,
 * OBSERVE_TOO_LARGE for an answer that is not read to its end, and OBSERVE_NO_ANSWER where it does not answer:
 * unreachable, too late, or something else than JSON-RPC.
 */
export async function askJsonRpc<T>(url: string, call: JsonRpcCall): Promise<T> {
  const { result, error } = await replyTo<T>(url, call);
  if (error) throw new RangeError(oneLine(`${error.code} ${error.message}`));
  return result!;
}

interface Reply<T> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string };
}

async function replyTo<T>(url: string, { method, params, timeoutMs }: JsonRpcCall): Promise<Reply<T>> {
  try {
    const { status, body } = await askHttp(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      timeoutMs,
      maxBytes: MAX_BYTES,
    });
    return replyIn<T>(body) ?? refused(`HTTP ${status} without a JSON-RPC answer`);
  } catch (cause) {
    const code = isCodedError(cause, 'ASK_TOO_LARGE') ? 'OBSERVE_TOO_LARGE' : 'OBSERVE_NO_ANSWER';
    throw new CodedError(code, `${url} does not answer ${method}: ${messageOf(cause)}`, {
      cause,
      fields: { url, method },
    });
  }
}

function replyIn<T>(body: string): Reply<T> | undefined {
  try {
    const reply = parseJson(body) as Reply<T> | null;
    return reply?.result === undefined && !reply?.error ? undefined : reply;
  } catch {
    return undefined;
  }
}

function refused(why: string): never {
  throw new RangeError(why);
}
