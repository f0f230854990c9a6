const BLOCK_QUERIES = ['getBlockByHash', 'getBlockByNumber', 'getBlockReceipts'];
const COUNTS = ['getBlockTransactionCountByHash', 'getBlockTransactionCountByNumber'];
const EXCLUDING = ['getBlockByHashExcludeTraceFail', 'getBlockByNumberExcludeTraceFail'];
const CHAIN_ONLY = [
  'associate',
  'getChainAddress',
  'getEVMAddress',
  'getEvmTx',
  'getFilterChanges',
  'getFilterLogs',
  'getLedgerTx',
  'getLogs',
  'getTransactionByBlockHashAndIndex',
  'getTransactionByBlockNumberAndIndex',
  'getTransactionByHash',
  'getTransactionCount',
  'getTransactionErrorByHash',
  'getTransactionReceipt',
  'getTransactionReceiptExcludeTraceFail',
  'getVMError',
  'newBlockFilter',
  'newFilter',
  'sign',
  'traceBlockByHashExcludeTraceFail',
  'traceBlockByNumberExcludeTraceFail',
  'uninstallFilter',
];

/** Every name that the gate knows: 29 of `chain_`, 7 of `chain2_` (spec G-1). */
export const LEGACY_METHODS: readonly string[] = [
  ...[...BLOCK_QUERIES, ...COUNTS, ...EXCLUDING, ...CHAIN_ONLY].map((name) => `chain_${name}`),
  ...[...BLOCK_QUERIES, ...COUNTS, ...EXCLUDING].map((name) => `chain2_${name}`),
];
