import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test that is left out needs, and how to get it: `npm test` says so at its end. */
    needs?: string;
  }
}

/**
 * Options of a suite that is left out because the machine lacks something. Where everything is required (`.ci/run` sets
 * TEST_REQUIRE_ALL) it fails instead, so that no suite is left out unseen.
 */
export function leftOutIf(suite: string, missing: string | undefined): TestOptions {
  if (missing === undefined) return {};
  if (process.env.TEST_REQUIRE_ALL) throw new RangeError(`${suite}: ${missing}, and TEST_REQUIRE_ALL is set`);
  return { skip: true, meta: { needs: `${suite}: ${missing}` } };
}
