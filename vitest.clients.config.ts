import { suites } from './vitest.base.ts';

/** `npm run test:clients`: clients of other languages and releases, whose packages come from their registries. */
export default suites({
  include: ['test/clients/**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 900_000,
  hookTimeout: 900_000,
});
