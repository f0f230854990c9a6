export interface JsonRpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly timeoutMs: number;
}

/** One call of a node's JSON-RPC. Throws a RangeError with code and message where the answer is an error, or none. */
export async function askJsonRpc<T>(url: string, { method, params, timeoutMs }: JsonRpcCall): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { result, error } = (await reply.json()) as { result?: T; error?: { code: number; message: string } };
  if (error) throw new RangeError(`${error.code} ${error.message}`);
  if (result === undefined) throw new RangeError(`status ${reply.status}`);
  return result;
}
