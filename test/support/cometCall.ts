import assert from 'node:assert';

/** A call of a consensus RPC; fails with what the server says. */
export async function cometCall<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(10_000) });
  const { result, error } = (await response.json()) as {
    result?: T;
    error?: { data?: string; message: string };
  };
  if (result === undefined) assert.fail(`${url}/${path}: ${error?.message} ${error?.data ?? ''}`);
  return result;
}
