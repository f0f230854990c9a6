import { configDefaults } from 'vitest/config';
import { LONG_SUITES, SUITES, suites } from './vitest.base.ts';

/** `npm test`: what every change must keep true. */
export default suites({
  include: SUITES,
  exclude: [...configDefaults.exclude, LONG_SUITES],
  // Files share a worker and what it has loaded: half the processor time. They leave nothing behind that others see.
  isolate: false,
  maxWorkers: 2,
});
