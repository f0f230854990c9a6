import { defineConfig } from 'vitest/config';
import { GENERAL_WRAPPERS } from './platform/launch/wasmWrappers.js';

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
    execArgv: [GENERAL_WRAPPERS],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
