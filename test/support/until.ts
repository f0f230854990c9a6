import assert from 'node:assert';
/** Polls a condition until it gives a value; fails with the last error, or naming what was awaited. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  timeoutMs = 90_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let lastError: unknown; ; ) {
    try {
      const found = await check();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() > deadline) {
      assert.fail(`timed out after ${timeoutMs} ms: ${what}; last error: ${lastError}`);
    }
    await new Promise((poll) => setTimeout(poll, 20));
  }
}
