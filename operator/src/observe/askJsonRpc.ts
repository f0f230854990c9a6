const TIMEOUT_MS = 30_000;

/** One call of a node's JSON-RPC. Throws a RangeError with code and message where the answer is an error. */
export async function askJsonRpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { result, error } = (await reply.json()) as { result?: T; error?: { code: number; message: string } };
  if (error) throw new RangeError(`${error.code} ${error.message}`);
  return result as T;
}
