import { SERIES } from './scripts/series.ts';
import { LONG_SUITES, suites } from './vitest.base.ts';

const series = SERIES.filter(({ config }) => config === undefined);
const sizes: Record<string, string> = Object.assign({}, ...series.map(({ long }) => long));

/** `npm run test:long`: suites of many seconds, and the series at the sizes that every submission must pass. */
export default suites({
  include: [LONG_SUITES, ...series.flatMap(({ paths }) => paths)],
  // What is set outside wins.
  env: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, process.env[name] ?? size])),
  maxWorkers: 2,
  testTimeout: 600_000,
  hookTimeout: 600_000,
});
