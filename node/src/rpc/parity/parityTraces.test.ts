import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BlockRecord, SYNTHETIC_TYPE } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { growBlocks } from '../testTransactions.fixture.ts';

interface FlatTrace {
  readonly transactionHash: string;
  readonly transactionPosition: number;
  readonly traceAddress: readonly number[];
  readonly type: string;
}
let rpc: RpcFixture;
let transactions: string[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
  ({ transactions } = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as { transactions: string[] });
});
afterAll(() => rpc.close());

it('trace_block gives the flat traces of all transactions in one list, those of trace_transaction', async () => {
  const all = (await rpc.result('trace_block', '0x2')) as FlatTrace[];
  const each = await Promise.all(transactions.map((hash) => rpc.result('trace_transaction', hash)));
  expect(all).toEqual(each.flat());
  expect(new Set(all.map(({ transactionHash }) => transactionHash))).toEqual(new Set(transactions));
  expect(all[0]).toMatchObject({ transactionPosition: 0, traceAddress: [], type: 'call', blockNumber: 2 });
  const config = { tracer: 'flatCallTracer', tracerConfig: { convertParityErrors: true } };
  expect(each[0]).toEqual(await rpc.result('debug_traceTransaction', transactions[0], config));
});

it('gives nothing of an empty block, null of an unknown transaction, and the errors of debug_', async () => {
  expect(await rpc.result('trace_block', '0x3')).toEqual([]);
  expect(await rpc.result('trace_transaction', `0x${'12'.repeat(32)}`)).toBeNull();
  expect(await rpc.call('trace_block', '0x0')).toMatchObject({
    error: { code: -32000, message: 'genesis is not traceable' },
  });
});

it('erigon_getHeaderByNumber is eth_getHeaderByNumber', async () => {
  expect(await rpc.result('erigon_getHeaderByNumber', '0x2')).toEqual(
    await rpc.result('eth_getHeaderByNumber', '0x2'),
  );
});

it('counts EVM transactions alone, whatever else has a receipt', async () => {
  const withSynthetic = (record: BlockRecord): BlockRecord => {
    const [first] = record.receipts;
    if (!first) return record;
    const hash = new Uint8Array(32).fill(0xee);
    const synthetic = { ...first, type: SYNTHETIC_TYPE, transactionHash: hash, logs: [] };
    const others = record.receipts.map((each) => ({ ...each, transactionIndex: each.transactionIndex + 1 }));
    return { ...record, receipts: [synthetic, ...others] };
  };
  const other = await openRpcFixture({ recorded: withSynthetic });
  try {
    await growBlocks(other);
    const block = (await other.result('eth_getBlockByNumber', '0x2', false)) as { transactions: string[] };
    for (const [position, hash] of block.transactions.entries()) {
      const [trace] = (await other.result('trace_transaction', hash)) as FlatTrace[];
      expect(trace).toMatchObject({ transactionPosition: position, transactionHash: hash });
    }
  } finally {
    await other.close();
  }
});
