import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { GENERAL_WRAPPERS } from './platform/launch/wasmWrappers.js';

/** What a loaded machine needs; none of them is a promise. */
const PATIENCE_MS = 120_000;

/** Of every `vitest.*.config.ts`. */
export function suites(test: NonNullable<ViteUserConfig['test']>): ViteUserConfig {
  return defineConfig({
    test: {
      pool: 'forks',
      execArgv: [GENERAL_WRAPPERS],
      testTimeout: PATIENCE_MS,
      hookTimeout: PATIENCE_MS,
      expect: { poll: { timeout: PATIENCE_MS / 2, interval: 20 } },
      retry: 0,
      // Node itself loads sources and tests, as it loads the programs: a third less processor time than a bundler's loader.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      ...test,
    },
  });
}

/** What lies beside the code, and in `test/` what needs several programs. */
export const SUITES = [
  'platform/src/**/*.test.ts',
  'node/src/**/*.test.ts',
  'operator/src/**/*.test.ts',
  'sidecars/*/src/**/*.test.ts',
  'test/{architecture,conformance,scenario,fuzz}/**/*.test.ts',
];
/** These are `npm run test:long` alone. */
export const LONG_SUITES = '**/*.long.test.ts';
