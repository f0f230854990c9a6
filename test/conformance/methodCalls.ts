import { once } from 'node:events';
import type { ConformanceChain } from './conformanceChain.ts';
import { DEVELOPMENT_CALLS } from './developmentCalls.ts';
import { blockIds, TRACE_CALLS } from './traceCalls.ts';

type Calls = (chain: ConformanceChain) => readonly (readonly unknown[])[];
type CallsAwaited = (chain: ConformanceChain) => Promise<readonly (readonly unknown[])[]>;

const UNKNOWN_HASH = `0x${'12'.repeat(32)}`;
const NONE: Calls = () => [[]];
const SLOT_0 = `0x${'00'.repeat(32)}`;

const numbers = ({ block: { number } }: ConformanceChain) => [
  'latest',
  'safe',
  'finalized',
  'pending',
  'earliest',
  number,
  '0x0',
];
const absentNumbers = ['0xffffff']; // answered with null
const hashes = ({ block: { hash } }: ConformanceChain) => [hash, UNKNOWN_HASH];
const transactions = ({ transactions: mined, failed, waiting }: ConformanceChain) => [
  ...[...mined, failed, waiting, UNKNOWN_HASH].map((hash) => [hash]),
];

const STATE: Readonly<Record<string, Calls>> = {
  eth_getBalance: (chain) => blockIds(chain).map((block) => [chain.alice, block]),
  eth_getCode: (chain) => blockIds(chain).map((block) => [chain.counter, block]),
  eth_getStorageAt: (chain) => [
    ...blockIds(chain).map((block) => [chain.counter, SLOT_0, block]),
    ...['0x0', '0'].map((slot) => [chain.counter, slot, 'latest']),
  ],
  eth_getProof: (chain) =>
    blockIds(chain).map((block, i) => [chain.counter, ['0x0', 'ff'].slice(0, i), block]),
  eth_getTransactionCount: (chain) => blockIds(chain).map((block) => [chain.alice, block]),
};

const BLOCKS: Readonly<Record<string, Calls>> = {
  eth_getBlockByHash: (chain) => hashes(chain).flatMap((hash) => [true, false].map((full) => [hash, full])),
  eth_getBlockByNumber: (chain) =>
    [...numbers(chain), ...absentNumbers].flatMap((number) => [true, false].map((full) => [number, full])),
  eth_getBlockReceipts: (chain) => [...blockIds(chain), ...absentNumbers].map((block) => [block]),
  eth_getBlockTransactionCountByHash: (chain) => hashes(chain).map((hash) => [hash]),
  eth_getBlockTransactionCountByNumber: (chain) =>
    [...numbers(chain), ...absentNumbers].map((number) => [number]),
  eth_getTransactionByBlockHashAndIndex: (chain) =>
    hashes(chain).flatMap((hash) => ['0x0', '0x7'].map((index) => [hash, index])),
  eth_getTransactionByBlockNumberAndIndex: (chain) =>
    numbers(chain).flatMap((number) => ['0x0', '0x7'].map((index) => [number, index])),
  eth_getTransactionByHash: transactions,
  eth_getTransactionReceipt: transactions,
  eth_getHeaderByHash: (chain) => hashes(chain).map((hash) => [hash]),
  eth_getHeaderByNumber: (chain) => [...numbers(chain), ...absentNumbers].map((number) => [number]),
  eth_getRawTransactionByHash: transactions,
  eth_getRawTransactionByBlockHashAndIndex: (chain) => hashes(chain).map((hash) => [hash, '0x0']),
  eth_getRawTransactionByBlockNumberAndIndex: (chain) =>
    numbers(chain).flatMap((number) => ['0x0', '0x7'].map((index) => [number, index])),
  eth_getUncleByBlockHashAndIndex: (chain) => hashes(chain).map((hash) => [hash, '0x0']),
  eth_getUncleByBlockNumberAndIndex: (chain) => numbers(chain).map((number) => [number, '0x0']),
  eth_getUncleCountByBlockHash: (chain) => hashes(chain).map((hash) => [hash]),
  eth_getUncleCountByBlockNumber: (chain) => [...numbers(chain), ...absentNumbers].map((number) => [number]),
  debug_getRawBlock: (chain) => blockIds(chain).map((block) => [block]),
  debug_getRawHeader: (chain) => blockIds(chain).map((block) => [block]),
  debug_getRawReceipts: (chain) => blockIds(chain).map((block) => [block]),
  debug_getRawTransaction: ({ transactions: mined, waiting }) => [...mined, waiting].map((hash) => [hash]),
};

const CHAIN: Readonly<Record<string, Calls>> = {
  eth_accounts: NONE,
  eth_blockNumber: NONE,
  eth_chainId: NONE,
  eth_coinbase: NONE,
  eth_gasPrice: NONE,
  eth_maxPriorityFeePerGas: NONE,
  eth_protocolVersion: NONE,
  eth_syncing: NONE,
  eth_feeHistory: ({ block }) => [
    ['0x2', 'latest', []],
    [3, block.number, [25, 50, 75]],
    ['4', 'finalized', [0, 100]],
    ['0x400', 'pending', [50.5]],
    ['0x1', 'earliest', []],
  ],
  net_listening: NONE,
  net_peerCount: NONE,
  net_version: NONE,
  web3_clientVersion: NONE,
  web3_sha3: () => [['0x'], ['0x68656c6c6f']],
  eth_baseFee: NONE,
  eth_blobBaseFee: NONE,
  eth_capabilities: NONE,
  eth_config: NONE,
  debug_getBadBlocks: NONE,
  txpool_content: NONE,
  txpool_contentFrom: ({ alice, bob }) => [[alice], [bob]],
  txpool_inspect: NONE,
  txpool_status: NONE,
  rpc_modules: NONE,
  rpc_discover: NONE,
};

const SIMULATION: Readonly<Record<string, Calls>> = {
  eth_call: (chain) => [
    ...blockIds(chain).map((block) => [{ to: chain.counter }, block]),
    [{ from: chain.alice, to: chain.counter, input: '0x', value: '0x0', gas: '0xfffff' }],
    [{ data: '0x' }, null, null, null],
    [{ to: chain.bob }, 'latest', { [chain.bob]: { code: '0x4360005260206000f3' } }, { number: '0x99' }],
    [{ to: chain.counter }, 'latest', { [chain.counter]: { stateDiff: { [SLOT_0]: SLOT_0 } } }],
  ],
  eth_estimateGas: (chain) => [
    [{ from: chain.alice, to: chain.bob, value: '0x1' }],
    ...blockIds(chain).map((block) => [{ to: chain.counter }, block]),
    [{ from: chain.bob, to: chain.counter }, 'latest', { [chain.bob]: { balance: '0xffffffffffffffff' } }],
    [{ to: chain.counter }, 'latest', {}, { number: '0x99', time: '0x7fffffff' }],
  ],
  eth_estimateGasAfterCalls: ({ alice, bob, counter }) => [
    [
      { from: alice, to: counter },
      [
        { from: alice, to: counter },
        { from: bob, to: counter },
      ],
    ],
    [{ from: alice, to: counter }, [], 'latest', { [alice]: { balance: '0xffffffffffffffffff' } }],
  ],
  eth_simulateV1: ({ alice, bob, counter, reverter, block }) => [
    [{ blockStateCalls: [{}] }],
    [
      {
        blockStateCalls: [
          {
            blockOverrides: { time: '0x7fffffff', feeRecipient: bob, withdrawals: [] },
            stateOverrides: { [bob]: { balance: '0xffffffffffffffff' } },
            calls: [{ from: bob, to: alice, value: '0x1' }, { to: reverter }, { to: counter, gas: '0x5300' }],
          },
          { calls: [{ from: alice, data: '0x' }] },
        ],
        traceTransfers: true,
        returnFullTransactions: true,
      },
      'latest',
    ],
    [{ blockStateCalls: [{ calls: [{ to: counter, gasPrice: '0x0' }] }], validation: false }, block.hash],
  ],
  eth_getStorageValues: (chain) => [
    [{ [chain.counter]: ['0x0', '1'], [chain.alice]: [] }],
    [{ [chain.counter]: ['0x0'] }, chain.block.hash],
  ],
  eth_fillTransaction: ({ alice, counter }) => [
    [{ from: alice, to: counter, data: '0x' }],
    [{ from: alice, to: counter, gas: '0x30d40', gasPrice: '0x3b9aca000', nonce: '0x7' }],
    [
      {
        from: alice,
        to: alice,
        accessList: [{ address: counter, storageKeys: [] }],
        gasPrice: '0x3b9aca000',
      },
    ],
  ],
  eth_createAccessList: (chain) => [
    [{ from: chain.alice, to: chain.counter }],
    [{ from: chain.alice, to: chain.counter }, 'latest'],
    [{ from: chain.alice, to: chain.reverter }, 'latest'],
  ],
};

/** A new subscription on the connection that the suite uses. */
async function subscriptionOf({ socket }: ConformanceChain): Promise<string> {
  const connection = await socket();
  const answer = once(connection, 'message') as Promise<[MessageEvent]>;
  connection.send(
    JSON.stringify({ jsonrpc: '2.0', id: 'made', method: 'eth_subscribe', params: ['newHeads'] }),
  );
  return (JSON.parse(String((await answer)[0].data)) as { readonly result: string }).result;
}

const LOGS: Readonly<Record<string, Calls | CallsAwaited>> = {
  eth_getLogs: ({ counter, block }) => [
    [{}],
    [{ fromBlock: '0x1', toBlock: 'latest', address: counter, topics: [] }],
    [{ fromBlock: '0x1', toBlock: block.number, address: [counter], topics: [[UNKNOWN_HASH, SLOT_0]] }],
    [{ fromBlock: 'earliest', toBlock: 'pending', topics: [null] }],
    [{ blockHash: block.hash, address: null, topics: null }],
  ],
  eth_newFilter: ({ counter }) => [[{}], [{ fromBlock: '0x1', address: counter, topics: [SLOT_0] }]],
  eth_newBlockFilter: NONE,
  eth_newPendingTransactionFilter: NONE,
  eth_getFilterChanges: async ({ call, counter }) => [
    [await call('eth_newFilter', { fromBlock: '0x1', address: counter })],
    [await call('eth_newBlockFilter')],
  ],
  eth_getFilterLogs: async ({ call, counter }) => [
    [await call('eth_newFilter', { fromBlock: '0x1', address: counter })],
  ],
  eth_uninstallFilter: async ({ call }) => [[await call('eth_newBlockFilter')], ['0x1234']],
  eth_subscribe: ({ counter }) => [
    ...['newHeads', 'logs', 'newPendingTransactions', 'syncing'].map((kind) => [kind]),
    ['logs', { address: counter, topics: [null] }],
    ['newPendingTransactions', true],
  ],
  eth_unsubscribe: async (chain) => [[await subscriptionOf(chain)]],
  eth_sendRawTransaction: async ({ freshTransaction }) => [[await freshTransaction()]],
  eth_sendRawTransactionSync: async ({ nextTransaction }) => [[await nextTransaction(), 30_000]],
};

const LEGACY: Readonly<Record<string, Calls | CallsAwaited>> = {
  chain_getChainAddress: ({ alice }) => [[alice]],
  chain_getEVMAddress: async ({ alice, call }) => [[await call('chain_getChainAddress', alice)]],
  chain_getLedgerTx: ({ transactions: [hash] }) => [[hash]],
  chain_getEvmTx: async ({ transactions: [hash], call }) => [
    [(await call<{ hash: string }>('chain_getLedgerTx', hash)).hash],
  ],
  chain_getTransactionErrorByHash: transactions,
  erigon_getHeaderByNumber: (chain) => [...numbers(chain), ...absentNumbers].map((number) => [number]),
  echo_echo: () => [[''], ['a "text"']],
  eth_getTransactionErrorByHash: transactions,
  eth_getVMError: ({ transactions: mined, failed }) => [...mined, failed].map((hash) => [hash]),
  chain_getVMError: ({ transactions: mined, failed }) => [...mined, failed].map((hash) => [hash]),
  chain_getTransactionReceiptExcludeTraceFail: ({ transactions: mined }) => mined.map((hash) => [hash]),
  chain_associate: () => [[{ v: '0x1b', r: `0x${'11'.repeat(32)}`, s: '1', custom_message: 'mine' }]],
  chain_sign: ({ alice }) => [[alice, '0x1234']],
  chain_newBlockFilter: NONE,
  chain_getFilterChanges: async ({ call }) => [[await call('chain_newBlockFilter')]],
  chain_getFilterLogs: async ({ call }) => [[await call('chain_newFilter', { fromBlock: '0x1' })]],
  chain_uninstallFilter: async ({ call }) => [[await call('chain_newFilter', {})], ['0x1234']],
  ...inNamespace('chain', [
    'getBlockByHash',
    'getBlockByNumber',
    'getBlockReceipts',
    'getBlockTransactionCountByHash',
    'getBlockTransactionCountByNumber',
    'getTransactionByBlockHashAndIndex',
    'getTransactionByHash',
    'getTransactionByBlockNumberAndIndex',
    'getTransactionReceipt',
  ]),
  ...inNamespace('chain2', [
    'getBlockByHash',
    'getBlockByNumber',
    'getBlockReceipts',
    'getBlockTransactionCountByHash',
    'getBlockTransactionCountByNumber',
  ]),
  chain_traceBlockByHashExcludeTraceFail: TRACE_CALLS.debug_traceBlockByHash!,
  chain_traceBlockByNumberExcludeTraceFail: TRACE_CALLS.debug_traceBlockByNumber!,
  chain_getTransactionCount: STATE.eth_getTransactionCount!,
  chain_getLogs: LOGS.eth_getLogs!,
  chain_newFilter: LOGS.eth_newFilter!,
  ...Object.fromEntries(
    ['chain', 'chain2'].flatMap((namespace) =>
      ['getBlockByHash', 'getBlockByNumber'].map((name) => [
        `${namespace}_${name}ExcludeTraceFail`,
        BLOCKS[`eth_${name}`]!,
      ]),
    ),
  ),
};

/** The calls of `eth_` methods under another namespace. */
function inNamespace(namespace: string, names: readonly string[]): Record<string, Calls> {
  return Object.fromEntries(names.map((name) => [`${namespace}_${name}`, BLOCKS[`eth_${name}`]!]));
}

/** Methods whose calls are understood and then refused here, and how. */
export const REFUSED: Readonly<Record<string, RegExp>> = {
  // Nothing in this ledger takes an association that is not an EVM transaction's.
  chain_associate: /./,
  chain_sign: /^address does not have hosted key$/,
  // The suite's node has a split EVM store.
  debug_storageRangeAt: /evm-ss-split = false/,
  anvil_setRpcUrl: /does not fork/,
};

/** Calls of every method that must be answered with a result. A method that is not here fails the suite. */
export const METHOD_CALLS: Readonly<Record<string, Calls | CallsAwaited>> = {
  ...STATE,
  ...BLOCKS,
  ...CHAIN,
  ...SIMULATION,
  ...TRACE_CALLS,
  ...LOGS,
  ...LEGACY,
  ...DEVELOPMENT_CALLS,
};
