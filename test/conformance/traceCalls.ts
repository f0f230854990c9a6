import type { ConformanceChain } from './conformanceChain.ts';

type Call = readonly unknown[];
type Calls = (chain: ConformanceChain) => readonly Call[];
type CallsAwaited = (chain: ConformanceChain) => Promise<readonly Call[]>;

const SLOT_0 = `0x${'00'.repeat(32)}`;

/** Every form of a block that is there: TAG_B, number, hash, EIP-1898's objects. */
export function blockIds({ block: { number, hash } }: ConformanceChain): readonly unknown[] {
  return [
    'latest',
    'safe',
    'finalized',
    'pending',
    'earliest',
    number,
    hash,
    { blockNumber: number },
    { blockNumber: 'latest' },
    { blockHash: hash },
    { blockHash: hash, requireCanonical: true },
  ];
}

const TRACE_CONFIGS = [
  {},
  { enableMemory: true, enableReturnData: true, disableStack: true, limit: 100_000, timeout: '10s' },
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: 'flatCallTracer' },
  { tracer: '4byteTracer' },
  { tracer: 'muxTracer', tracerConfig: { noopTracer: {}, callTracer: {} } },
];

export const TRACE_CALLS: Readonly<Record<string, Calls | CallsAwaited>> = {
  debug_traceTransaction: ({ transactions: [hash] }) => [
    [hash],
    [hash, null],
    ...TRACE_CONFIGS.map((config) => [hash, config]),
  ],
  debug_traceBlockByNumber: ({ block }) => [
    ...['latest', 'safe', 'finalized', 'pending', block.number].map((number) => [number, {}]),
    ...TRACE_CONFIGS.map((config) => [block.number, config]),
  ],
  debug_traceBlockByHash: ({ block: { hash } }) => [[hash], ...TRACE_CONFIGS.map((config) => [hash, config])],
  trace_block: ({ block: { number, hash } }) => [['latest'], [number], [hash]],
  trace_transaction: ({ transactions: [mined], failed }) => [[mined], [failed], [`0x${'12'.repeat(32)}`]],
  trace_get: ({ transactions: [mined] }) => [
    [mined, []],
    [mined, ['0x0', '0x5']],
    [`0x${'12'.repeat(32)}`, []],
  ],
  trace_filter: ({ block: { number }, alice, counter }) => [
    [{}],
    [{ fromBlock: number, toBlock: number, fromAddress: [alice], toAddress: counter, mode: 'intersection' }],
    [{ fromBlock: 'earliest', toBlock: 'latest', toAddress: [counter], after: 1, count: '0x2' }],
  ],
  trace_call: ({ alice, counter, block: { hash } }) => [
    [{ from: alice, to: counter }, ['trace', 'stateDiff']],
    [{ from: alice, to: counter }, [], hash],
  ],
  trace_callMany: ({ alice, counter, block: { number } }) => [
    [
      [
        [{ from: alice, to: counter }, ['trace']],
        [{ to: counter }, ['stateDiff']],
      ],
    ],
    [[], number],
  ],
  trace_rawTransaction: async ({ nextTransaction }) => [[await nextTransaction(), ['trace', 'stateDiff']]],
  trace_replayTransaction: ({ transactions: [mined], failed }) => [
    [mined, ['trace', 'stateDiff']],
    [failed, ['stateDiff']],
    [`0x${'12'.repeat(32)}`, []],
  ],
  trace_replayBlockTransactions: ({ block: { number, hash } }) => [
    [number, ['trace', 'stateDiff']],
    [hash, []],
  ],
  debug_getModifiedAccountsByNumber: ({ block: { number } }) => [[number], ['0x1', number], [2, 3]],
  debug_getModifiedAccountsByHash: ({ block: { hash } }) => [[hash]],
  debug_traceStateAccess: ({ transactions: mined }) => mined.map((hash) => [hash]),
  ots_getApiLevel: () => [[]],
  ots_hasCode: ({ counter, alice, block: { number } }) => [[counter], [alice, number]],
  ots_getInternalOperations: ({ transactions: [mined], failed }) => [[mined], [failed]],
  ots_getTransactionError: ({ transactions: [mined], failed }) => [
    [mined],
    [failed],
    [`0x${'12'.repeat(32)}`],
  ],
  ots_traceTransaction: ({ transactions: [mined], failed }) => [[mined], [failed]],
  ots_getBlockDetails: ({ block: { number } }) => [[number], [2], ['earliest'], ['latest'], ['0xfffffff']],
  ots_getBlockDetailsByHash: ({ block: { hash } }) => [[hash], [`0x${'12'.repeat(32)}`]],
  ots_getBlockTransactions: ({ block: { number } }) => [
    [number, 0, 10],
    [2, 5, '0x10'],
    ['earliest', 0, 1],
  ],
  ots_searchTransactionsBefore: ({ alice, counter }) => [
    [alice, 0, 3],
    [counter, 4, 1],
  ],
  ots_searchTransactionsAfter: ({ alice, counter }) => [
    [alice, 0, 3],
    [counter, 4, 1],
  ],
  ots_getTransactionBySenderAndNonce: ({ alice, bob }) => [
    [alice, 0],
    [alice, 100],
    [bob, '0x0'],
  ],
  ots_getContractCreator: ({ counter, alice }) => [[counter], [alice]],
  debug_traceCall: (chain) => [
    ...blockIds(chain)
      .filter((id) => id !== 'pending' && id !== 'earliest')
      .map((id) => [{ from: chain.alice, to: chain.counter }, id]),
    ...TRACE_CONFIGS.map((config) => [{ to: chain.counter }, 'latest', config]),
    [
      { to: chain.bob },
      chain.block.number,
      {
        stateOverrides: { [chain.bob]: { code: '0x43' } },
        blockOverrides: { number: '0x9' },
        txIndex: '0x0',
      },
    ],
  ],
  debug_storageRangeAt: ({ block: { hash }, counter }) => [
    [hash, 0, counter, '0x', 5],
    [hash, 1, counter, SLOT_0, 0],
  ],
};
