import { configDefaults } from 'vitest/config';
import { suites } from './vitest.base.ts';

/** `npm run test:cluster`: images and manifests on a real Kubernetes, one suite at a time. */
export default suites({
  include: ['test/cluster/**/*.test.ts'],
  // Half an hour of migrations: `npm run test:soak -- operator`.
  exclude: [
    ...configDefaults.exclude,
    ...(process.env.OPERATOR_POD_RUNS ? [] : ['**/operatorKillsOnPods.test.ts']),
  ],
  maxWorkers: 1,
  testTimeout: 300_000,
  hookTimeout: 900_000,
});
