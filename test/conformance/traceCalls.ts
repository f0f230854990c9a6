import type { ConformanceChain } from './conformanceChain.ts';

type Calls = (chain: ConformanceChain) => readonly (readonly unknown[])[];

const SLOT_0 = `0x${'00'.repeat(32)}`;

/** Every form of a block that is there: TAG_B, number, hash, EIP-1898's objects. */
export function blockIds({ block: { number, hash } }: ConformanceChain): readonly unknown[] {
  return [
    ...['latest', 'safe', 'finalized', 'pending', 'earliest', number, hash],
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

export const TRACE_CALLS: Readonly<Record<string, Calls>> = {
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
