import { suites } from './vitest.base.ts';

/** `npm run test:network`: suites of several nodes on a network, one suite at a time. */
export default suites({
  include: ['test/network/**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 300_000,
  hookTimeout: 300_000,
});
