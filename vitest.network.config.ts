import { defineConfig } from 'vitest/config';
import { GENERAL_WRAPPERS } from './platform/launch/wasmWrappers.js';

/** `npm run test:network`: suites of several nodes on a network, one suite at a time. */
export default defineConfig({
  test: {
    include: ['test/network/**/*.test.ts'],
    pool: 'forks',
    execArgv: [GENERAL_WRAPPERS],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
  },
});
