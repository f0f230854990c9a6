import { configDefaults, defineConfig } from 'vitest/config';
import { GENERAL_WRAPPERS } from './platform/launch/wasmWrappers.js';

/** `npm run test:cluster`: images and manifests on a real Kubernetes, one suite at a time. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    // Half an hour of migrations: `npm run test:soak -- operator`.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.OPERATOR_POD_RUNS ? [] : ['**/operatorKillsOnPods.test.ts']),
    ],
    pool: 'forks',
    execArgv: [GENERAL_WRAPPERS],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    retry: 0,
  },
});
