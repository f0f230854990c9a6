/** A JSON-RPC error object. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** One JSON-RPC call; throws RpcFailure for an error object. */
export async function rpcCall<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = (await response.json()) as {
    result: T;
    error?: { code: number; message: string; data?: unknown };
  };
  if (error) throw new RpcFailure(error.message, error.code, error.data);
  return result;
}
