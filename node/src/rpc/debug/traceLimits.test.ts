import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { COUNTER, growBlocks, word } from '../testTransactions.fixture.ts';

interface Entry {
  readonly result?: unknown;
  readonly error?: string;
}

const SLOT = (last: number): string => toHexData(word(last));
const counter = toHexData(COUNTER);

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

describe('limits', () => {
  it('turn away what is too far back, too large, or not allowed', async () => {
    const narrow = await openRpcFixture({
      methods: {
        tracing: {
          maxConcurrent: 1,
          lookbackBlocks: 1,
          callTimeoutMs: 30_000,
          maxResultBytes: 500,
          javaScript: false,
          hexWords: 'prefixed',
          allowedTracers: ['callTracer', 'muxTracer'],
        },
      },
    });
    try {
      await growBlocks(narrow);
      const answer = async (...params: unknown[]) => narrow.call('debug_traceBlockByNumber', ...params);
      expect((await answer('0x2')).error?.message).toBe('block number 2 is beyond max lookback of 1');
      const [first, second] = (await answer('latest')).result as Entry[];
      expect(first).toMatchObject({ result: { structLogs: expect.any(Array) } });
      expect(second?.error).toMatch(/fill the 500 bytes of one answer \(evm.max_trace_struct_log_bytes\)/);
      const refusal = async (config: object) => (await answer('latest', config)).error?.message;
      expect(await refusal({ tracer: 'prestateTracer' })).toBe(
        'debug native tracer "prestateTracer" is not listed in evm.trace_allowed_tracers',
      );
      expect(await refusal({ tracer: 'muxTracer', tracerConfig: { noopTracer: {} } })).toMatch(
        /^nested debug native/,
      );
      expect(await refusal({ tracer: '{}' })).toBe(
        'debug tracer "{}" is not allowed; JavaScript tracers are disabled and only native tracers listed in evm.trace_allowed_tracers may be used',
      );
    } finally {
      await narrow.close();
    }
  });
});

describe('storage ranges', () => {
  it('need a store that is not split', async () => {
    const hash = toHexData(records[3]!.block.id.hash);
    const { error } = await rpc.call('debug_storageRangeAt', hash, 1, counter, '0x00', 10);
    expect(error?.message).toMatch(/evm-ss-split = false/);
  });

  it('page through slots as they were before a transaction', async () => {
    const whole = await openRpcFixture({ split: false });
    try {
      const grown = await growBlocks(whole);
      const range = async (...params: unknown[]) =>
        whole.result('debug_storageRangeAt', toHexData(grown[3]!.block.id.hash), ...params);
      const hashedSlot = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563';
      for (const [index, value] of [
        [0, 2],
        [1, 3],
        [2, 4],
      ] as const) {
        const storage = { [hashedSlot]: { key: SLOT(0), value: SLOT(value) } };
        expect(await range(index, counter, '0x', 5)).toEqual({ storage, nextKey: null });
      }
      expect(await range(0, counter, '0x', 0)).toEqual({ storage: {}, nextKey: SLOT(0) });
      expect(await range(0, counter, SLOT(1), 5)).toEqual({ storage: {}, nextKey: null });
      const byNumber = await whole.result('debug_storageRangeAt', '0x4', 1, counter, '0x', 5);
      expect(byNumber).toEqual(await range(1, counter, '0x', 5));
    } finally {
      await whole.close();
    }
  });
});
