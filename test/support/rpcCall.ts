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

interface Answer<T> {
  readonly id: number;
  readonly result: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One JSON-RPC call; throws RpcFailure for an error object. */
export async function rpcCall<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  return resultOf(await post<Answer<T>>(url, { jsonrpc: '2.0', id: 1, method, params }));
}

/** Calls in one batch, their results in order; throws RpcFailure for the first error object. */
export async function rpcBatch<T>(
  url: string,
  calls: readonly (readonly [method: string, params: readonly unknown[]])[],
): Promise<T[]> {
  const answers: Answer<T>[] = [];
  for (let start = 0; start < calls.length; start += MAX_BATCH) {
    const batch = calls
      .slice(start, start + MAX_BATCH)
      .map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    answers.push(...(await post<Answer<T>[]>(url, batch)));
  }
  return answers.map(resultOf);
}

const MAX_BATCH = 500;

async function post<T>(url: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<T>;
}

function resultOf<T>({ result, error }: Answer<T>): T {
  if (error) throw new RpcFailure(error.message, error.code, error.data);
  return result;
}
