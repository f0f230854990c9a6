import type { Rows } from './serviceRow.ts';

/** Rows of the JSON-RPC objects and methods. */
export const RPC_ROWS: Rows = {
  'JSON-RPC objects': {
    Request: { dispatcher: ['refuses %s as invalid request', 'gives back the id %s'] },
    Response: { dispatcher: ['answers jsonrpc, id, then result, and one newline'] },
    'Call object (`eth_call`, `eth_estimateGas`)': {
      standardMethods: ['eth_call reads every member of the call object'],
      codecs: ['read every member, prefer input, ignore what they do not know'],
    },
    'Log filter object (`eth_newFilter`)': {
      codecs: ['read addresses and topics in all their forms'],
      filters: ['begin at a number and end at one'],
    },
    'Log query object (`eth_getLogs`)': {
      codecs: ['read addresses and topics in all their forms'],
      filters: [
        'finds logs by range, address and topics, in order',
        'takes a block hash; an unknown one is an error',
      ],
    },
    'Fee history result': {
      fees: [
        'gives base fees with the one to come, ratios, and no reward without percentiles',
        'gives rewards by percentile, zeros for an empty block',
      ],
    },
    'Proof result (`eth_getProof`)': {
      proofs: [
        'proves the state of block N against header N+1, words that are there and words that are not',
        'gives empty arrays without keys',
      ],
    },
    'Trace options (optional)': {
      trace: ['shows only what is asked for'],
      traces: ['debug_traceTransaction gives the trace of a mined transaction, with options and without'],
    },
  },
  'Standard methods': {
    '`eth_sendRawTransaction`': {
      standardMethods: ['eth_sendRawTransaction takes a signed transaction and gives its hash'],
    },
    '`eth_getTransactionReceipt`': {
      standardMethods: ['eth_getTransactionReceipt tells how a transaction ended'],
    },
    '`eth_getTransactionByBlockNumberAndIndex`': {
      standardMethods: ['eth_getTransactionByBlockNumberAndIndex finds by TAG_A and index'],
    },
    '`eth_getTransactionByBlockHashAndIndex`': {
      standardMethods: ['eth_getTransactionByBlockHashAndIndex finds by hash and index'],
    },
    '`eth_getTransactionByHash`': {
      standardMethods: ['eth_getTransactionByHash gives what was signed, and where it was mined'],
    },
    '`eth_getTransactionCount`': {
      standardMethods: ['eth_getTransactionCount counts what an account has sent'],
    },
    '`eth_getBalance`': { standardMethods: ['eth_getBalance gives hex wei at every BLOCK_ID'] },
    '`eth_getCode`': {
      standardMethods: ['eth_getCode gives the code at every BLOCK_ID, and 0x where none is'],
    },
    '`eth_getStorageAt`': { standardMethods: ['eth_getStorageAt gives the word at every BLOCK_ID'] },
    '`eth_getProof`': {
      proofs: [
        'proves the state of block N against header N+1, words that are there and words that are not',
        'takes every BLOCK_ID and every form of a key',
      ],
    },
    '`eth_getBlockTransactionCountByNumber`': {
      standardMethods: ['eth_getBlockTransactionCountByNumber counts EVM transactions by TAG_B'],
    },
    '`eth_getBlockTransactionCountByHash`': {
      standardMethods: ['eth_getBlockTransactionCountByHash counts EVM transactions by hash'],
    },
    '`eth_getBlockByHash`': { standardMethods: ['eth_getBlockByHash gives the same block by hash'] },
    '`eth_getBlockByNumber`': {
      standardMethods: ['eth_getBlockByNumber gives a block by TAG_B, with hashes or whole transactions'],
    },
    '`eth_getBlockReceipts`': {
      standardMethods: ['eth_getBlockReceipts gives the receipts of a block by BLOCK_ID'],
    },
    '`eth_blockNumber`': { standardMethods: ['eth_blockNumber is the newest committed block'] },
    '`eth_chainId`': { standardMethods: ['eth_chainId is hex, and net_version the same in decimal'] },
    '`eth_coinbase`': {
      standardMethods: [
        'eth_coinbase is the fee collector, which fees go to; COINBASE of a call is the miner',
      ],
    },
    '`eth_feeHistory`': {
      standardMethods: ['eth_feeHistory has base fees with the next one, gas ratios, and rewards'],
    },
    '`eth_gasPrice`': {
      standardMethods: ['eth_gasPrice is the median of the newest block, at least the next base fee'],
    },
    '`net_version`': { standardMethods: ['eth_chainId is hex, and net_version the same in decimal'] },
    '`web3_clientVersion`': { standardMethods: ['web3_clientVersion names program and release'] },
    '`eth_newFilter`': {
      filters: ['give what came since the last poll, across several blocks'],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_newBlockFilter`': {
      filters: ['give what came since the last poll, across several blocks'],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_getFilterChanges`': {
      filters: ['give what came since the last poll, across several blocks'],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_getFilterLogs`': {
      filters: ['give all logs with getFilterLogs, which leaves the polls alone'],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_getLogs`': {
      filters: [
        'finds logs by range, address and topics, in order',
        'takes a block hash; an unknown one is an error',
      ],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_uninstallFilter`': {
      filters: ['have random ids and can be removed once'],
      methods: ['answers good calls as its schema says'],
    },
    '`eth_estimateGas`': {
      standardMethods: ['eth_estimateGas is enough, hardly more than needed, and broadcasts nothing'],
    },
    '`eth_call`': {
      standardMethods: [
        'eth_call runs on the block asked for and makes no transaction',
        'eth_call reads every member of the call object',
      ],
    },
    '`debug_traceTransaction`': {
      traces: ['debug_traceTransaction gives the trace of a mined transaction, with options and without'],
    },
    '`debug_traceBlockByNumber`': {
      traces: ['debug_traceBlockByNumber gives a result for latest and an empty options object'],
    },
    '`debug_traceBlockByHash`': { traces: ['debug_traceBlockByHash gives the same as by number'] },
  },
  'Legacy methods (deprecated, scheduled for removal)': {
    '1.': {
      legacy: ['that are not enabled answer the gate error, without the header, readable for a browser'],
      dispatcher: ['judges each call of a batch by itself'],
    },
    '2.': {
      legacy: ['that are not enabled answer the gate error, without the header, readable for a browser'],
      dispatcher: ['fails closed for names that it does not know, and asks before it looks at parameters'],
    },
    '3.': {
      legacy: ['resolve addresses and carry the deprecation header'],
      dispatcher: ['marks the answer of what it lets through, and only that'],
    },
    '4.': {
      home: ['makes a home that loads, with a genesis that both parsers accept'],
      config: ['may be empty: absent keys keep their defaults'],
    },
    '`chain_getLedgerTx`': {
      legacy: ['give the ledger transaction of an EVM transaction'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getEvmTx`': {
      legacyLists: ['find the EVM transaction of a ledger transaction, and the other way round'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getTransactionErrorByHash`': {
      legacyLists: ['say why a transaction failed'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getVMError`': {
      legacyLists: ['say why a transaction failed'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getBlockByHash`, `chain_getBlockByNumber`, `chain_getBlockReceipts`': {
      legacyLists: [
        'list synthetic transactions in ledger order, by number and by hash',
        'show a synthetic transaction with what it has',
        'give receipts of both kinds, numbered through',
      ],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getBlockTransactionCountByHash`, `chain_getBlockTransactionCountByNumber`': {
      legacyLists: ['list synthetic transactions in ledger order, by number and by hash'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getTransactionByBlockHashAndIndex`, `chain_getTransactionByBlockNumberAndIndex`, `chain_getTransactionByHash`, `chain_getTransactionReceipt`':
      {
        legacyLists: [
          'count through the larger list, and refuse what the EVM did not run',
          'give receipts of both kinds, numbered through',
        ],
        methods: ['answers good calls as its schema says'],
      },
    '`chain_getTransactionCount`': {
      legacyLists: ['count through the larger list, and refuse what the EVM did not run'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getFilterLogs`, `chain_getLogs`, `chain_getFilterChanges`': {
      legacyLists: ['include synthetic logs, which eth_ does not give'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_newFilter`, `chain_newBlockFilter`, `chain_uninstallFilter`': {
      legacyLists: ['have filters of their own'],
      methods: ['answers good calls as its schema says'],
    },
    '`chain_getBlockByHashExcludeTraceFail`, `chain_getBlockByNumberExcludeTraceFail`, `chain_getTransactionReceiptExcludeTraceFail`':
      { legacyLists: ['leave out what no trace has'], methods: ['answers good calls as its schema says'] },
    '`chain_traceBlockByHashExcludeTraceFail`, `chain_traceBlockByNumberExcludeTraceFail`': {
      legacyLists: ['trace a block without what cannot be traced'],
      methods: ['answers good calls as its schema says'],
    },
  },
  'Address precompile': {
    'fixed address': {
      precompileCalls: ['is reached by eth_call, under its historical selector and that of its name'],
      addressPrecompile: ['is reached from a contract by STATICCALL'],
    },
    getChainAddr: {
      precompileCalls: ['is reached by eth_call, under its historical selector and that of its name'],
      addressPrecompile: ['gives the chain address under selector %s'],
    },
    getEvmAddr: {
      precompileCalls: ['is reached by eth_call, under its historical selector and that of its name'],
      addressPrecompile: ['gives the EVM address'],
    },
    'not associated': {
      precompileCalls: [
        'reverts without data for an address that is not associated',
        'knows an account from its first transaction on',
      ],
    },
  },
  'Block forms': {
    'TAG_A and TAG_B': {
      standardMethods: [
        'eth_getTransactionByBlockNumberAndIndex finds by TAG_A and index',
        'eth_getBlockTransactionCountByNumber counts EVM transactions by TAG_B',
      ],
    },
    BLOCK_ID: {
      standardMethods: ['eth_getBalance gives hex wei at every BLOCK_ID'],
      codecs: ['read hashes, plain and as an object'],
    },
  },
};
