import { defineConfig } from 'vitest/config';

/** Unit suites lie beside the code; `test/` holds what needs several programs. */
export default defineConfig({
  test: {
    include: [
      'platform/src/**/*.test.ts',
      'node/src/**/*.test.ts',
      'operator/src/**/*.test.ts',
      'sidecars/*/src/**/*.test.ts',
      'test/{architecture,conformance,scenario}/**/*.test.ts',
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
