/** Startup lines that operators and the operator program look for (spec N-3). */
export const STARTUP_LINES = {
  storeEnabled: 'SeiDB SS is enabled',
  evmOptimizationEnabled: 'SeiDB EVM StateStore optimization is enabled',
  evmStoreEnabled: 'EVM state store enabled',
} as const;
