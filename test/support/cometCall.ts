import assert from 'node:assert';

/** A call of a consensus RPC; fails with what the server says. */
export async function cometCall<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(60_000) });
  const { result, error } = (await response.json()) as {
    result?: T;
    error?: { data?: string; message: string };
  };
  if (result === undefined) assert.fail(`${url}/${path}: ${error?.message} ${error?.data ?? ''}`);
  return result;
}

/** Of the newest block of a node. */
export async function cometHeight(url: string): Promise<number> {
  const { sync_info: info } = await cometCall<{ sync_info: { latest_block_height: string } }>(url, 'status');
  return Number(info.latest_block_height);
}
