const BLOCK_QUERIES = ['getBlockByHash', 'getBlockByNumber', 'getBlockReceipts'];
const COUNTS = ['getBlockTransactionCountByHash', 'getBlockTransactionCountByNumber'];
const EXCLUDING_BLOCKS = ['getBlockByHashExcludeTraceFail', 'getBlockByNumberExcludeTraceFail'];

/** Every name that the legacy gate knows (service.md, Legacy methods). */
export const LEGACY_METHODS: readonly string[] = [
  ...[
    ...[
      'getChainAddress',
      'getEVMAddress',
      'getLedgerTx',
      'getEvmTx',
      'getTransactionErrorByHash',
      'getVMError',
    ],
    ...BLOCK_QUERIES,
    ...COUNTS,
    ...['getTransactionByBlockHashAndIndex', 'getTransactionByBlockNumberAndIndex', 'getTransactionByHash'],
    ...['getTransactionReceipt', 'getTransactionCount', 'getFilterLogs', 'getLogs', 'getFilterChanges'],
    ...['newFilter', 'newBlockFilter', 'uninstallFilter'],
    ...EXCLUDING_BLOCKS,
    ...['getTransactionReceiptExcludeTraceFail'],
    ...['traceBlockByHashExcludeTraceFail', 'traceBlockByNumberExcludeTraceFail'],
  ].map((name) => `chain_${name}`),
  ...[...BLOCK_QUERIES, ...COUNTS, ...EXCLUDING_BLOCKS].map((name) => `chain2_${name}`),
];
