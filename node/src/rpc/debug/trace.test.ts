import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  COUNTER_CODE,
  FRIEND,
  growBlocks,
  REVERTER,
  sign,
  word,
} from '../testTransactions.fixture.ts';

interface Entry {
  readonly txHash: string;
  readonly result?: unknown;
  readonly error?: string;
}

const SLOT = (last: number): string => toHexData(word(last));
const counter = toHexData(COUNTER);
const [alice, bob, carol] = ACCOUNTS.map((account) => toHexData(account)) as [string, string, string];
const POOR_VALUE = 10n ** 30n;

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
  records.push(
    await rpc.block(
      sign(0, { nonce: 2n, to: FRIEND, value: POOR_VALUE }),
      sign(0, { nonce: 3n, to: COUNTER, data: word(1) }),
    ),
  );
});
afterAll(() => rpc.close());

const hashOf = (height: number, index: number): string =>
  toHexData(records[height - 1]!.receipts[index]!.transactionHash);
const trace = (height: number, index: number, config?: object) =>
  rpc.result('debug_traceTransaction', hashOf(height, index), ...(config ? [config] : []));
const block = (id: unknown, config?: object) =>
  rpc.result('debug_traceBlockByNumber', id, ...(config ? [config] : [])) as Promise<Entry[]>;

describe('a transaction', () => {
  it('is traced step by step when no tracer is named', async () => {
    const { gas, failed, returnValue, structLogs } = (await trace(2, 0)) as Record<string, unknown>;
    const { gasUsed } = records[1]!.receipts[0]!;
    expect({ gas, failed, returnValue }).toEqual({
      gas: Number(gasUsed),
      failed: false,
      returnValue: SLOT(1),
    });
    const logs = structLogs as Record<string, unknown>[];
    expect(logs.map(({ op }) => op)).toContain('LOG1');
    expect(logs[1]).toEqual({
      pc: 2,
      op: 'SLOAD',
      gas: expect.any(Number),
      gasCost: 2100,
      depth: 1,
      stack: ['0x0'],
      storage: { [SLOT(0)]: SLOT(0) },
    });
  });

  it('shows only what is asked for', async () => {
    const config = { enableMemory: true, disableStack: true, disableStorage: true, limit: 300 };
    const { structLogs } = (await trace(2, 0, config)) as { structLogs: Record<string, unknown>[] };
    expect(structLogs.length).toBeLessThan(8);
    for (const log of structLogs) expect(Object.keys(log)).not.toContain('stack');
    const whole = (await trace(2, 0, { enableMemory: true })) as { structLogs: Record<string, unknown>[] };
    expect(whole.structLogs.at(-1)).toMatchObject({ op: 'RETURN', memory: [SLOT(1)] });
  });

  it('has words without 0x where the node is set so', async () => {
    const bare = await openRpcFixture({ traceHex: 'bare' });
    await growBlocks(bare);
    const hash = await bare.result('eth_getBlockByNumber', '0x2', false);
    const [first] = (hash as { transactions: string[] }).transactions;
    const { structLogs } = (await bare.result('debug_traceTransaction', first, { enableMemory: true })) as {
      structLogs: Record<string, unknown>[];
    };
    await bare.close();
    expect(structLogs[1]).toMatchObject({ storage: { [SLOT(0).slice(2)]: SLOT(0).slice(2) } });
    expect(structLogs.at(-1)).toMatchObject({ op: 'RETURN', memory: [SLOT(1).slice(2)] });
  });

  it('runs behind those before it in its block', async () => {
    const results = [await trace(4, 0), await trace(4, 1)] as { returnValue: string }[];
    expect(results.map(({ returnValue }) => returnValue)).toEqual([SLOT(3), SLOT(4)]);
  });

  it('gives its calls and logs with callTracer', async () => {
    const { gasUsed } = records[1]!.receipts[0]!;
    expect(await trace(2, 0, { tracer: 'callTracer', tracerConfig: { withLog: true } })).toEqual({
      from: alice,
      gas: toHexQuantity(300_000n),
      gasUsed: toHexQuantity(gasUsed),
      to: counter,
      input: SLOT(1),
      output: SLOT(1),
      logs: [{ address: counter, topics: [SLOT(1)], data: SLOT(1), position: '0x0' }],
      value: '0x0',
      type: 'CALL',
    });
    expect(await trace(2, 1, { tracer: 'callTracer' })).toMatchObject({
      to: toHexData(REVERTER),
      error: 'execution reverted',
      revertReason: 'no luck',
    });
  });

  it('gives what it saw and changed with prestateTracer', async () => {
    const pre = (await trace(2, 0, { tracer: 'prestateTracer' })) as Record<string, Record<string, unknown>>;
    expect(pre[counter]).toEqual({
      balance: '0x0',
      code: toHexData(COUNTER_CODE),
      codeHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      nonce: 1,
      storage: { [SLOT(0)]: SLOT(0) },
    });
    const diff = (await trace(4, 0, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } })) as {
      pre: Record<string, unknown>;
      post: Record<string, unknown>;
    };
    expect(diff.pre[counter]).toMatchObject({ storage: { [SLOT(0)]: SLOT(2) } });
    expect(diff.post[counter]).toEqual({ storage: { [SLOT(0)]: SLOT(3) } });
    // Gas is bought while the trace watches: the sender pays and its nonce moves.
    expect(diff.post[alice]).toEqual({ balance: expect.any(String), nonce: 2 });
    expect(Object.keys(diff.post).sort()).toEqual([alice, counter].sort());
    expect(
      await trace(2, 0, { tracer: 'prestateTracer', tracerConfig: { diffMode: true, includeEmpty: true } }),
    ).toEqual({
      code: -32000,
      message: 'cannot use diffMode with includeEmpty',
    });
  });

  it('gives selectors, flat calls, nothing, or several at once', async () => {
    const flat = await trace(2, 2, { tracer: 'flatCallTracer' });
    expect(flat).toEqual([
      {
        action: {
          callType: 'call',
          from: carol,
          gas: '0x493e0',
          input: '0x',
          to: toHexData(FRIEND),
          value: '0x3e8',
        },
        blockHash: toHexData(records[1]!.block.id.hash),
        blockNumber: 2,
        result: { gasUsed: '0x5208', output: '0x' },
        subtraces: 0,
        traceAddress: [],
        transactionHash: hashOf(2, 2),
        transactionPosition: 2,
        type: 'call',
      },
    ]);
    const tracerConfig = { '4byteTracer': {}, noopTracer: null, flatCallTracer: {} };
    expect(await trace(2, 2, { tracer: 'muxTracer', tracerConfig })).toEqual({
      '4byteTracer': {},
      noopTracer: {},
      flatCallTracer: flat,
    });
    expect(await trace(2, 0, { tracer: '4byteTracer' })).toEqual({ '0x00000000-28': 1 });
  });

  it('that is unknown is an error', async () => {
    const message = 'transaction indexing is in progress';
    const { error } = await rpc.call('debug_traceTransaction', SLOT(9));
    expect(error).toEqual({ code: -32000, message, data: message });
  });
});

describe('a transaction that was refused', () => {
  it('is a lone frame for the call tracers', async () => {
    const error = expect.stringContaining('insufficient funds');
    const frame = { from: alice, gas: '0x493e0', to: toHexData(FRIEND), input: '0x' };
    expect(await trace(5, 0, { tracer: 'callTracer' })).toEqual({
      ...frame,
      gasUsed: '0x0',
      error,
      value: toHexQuantity(POOR_VALUE),
      type: 'CALL',
    });
    expect(await trace(5, 0, { tracer: 'flatCallTracer' })).toMatchObject([{ error, action: frame }]);
  });

  it('is nothing for the others, and does not hide those behind it', async () => {
    expect(await trace(5, 0, { tracer: 'prestateTracer' })).toEqual({});
    const [refused, after] = await block('latest');
    expect(refused).toEqual({ txHash: hashOf(5, 0), result: {} });
    expect(after).toMatchObject({ txHash: hashOf(5, 1), result: { failed: false, returnValue: SLOT(5) } });
  });
});

describe('a block', () => {
  it('lists its transactions with their traces, by number, tag and hash', async () => {
    const config = { tracer: 'callTracer' };
    const entries = await block('0x2', config);
    expect(entries.map(({ txHash }) => txHash)).toEqual([0, 1, 2, 3].map((index) => hashOf(2, index)));
    for (const [index, entry] of entries.entries())
      expect(entry.result).toEqual(await trace(2, index, config));
    const hash = toHexData(records[1]!.block.id.hash);
    expect(await rpc.result('debug_traceBlockByHash', hash, config)).toEqual(entries);
    for (const tag of ['latest', 'safe', 'finalized', 'pending']) expect(await block(tag)).toHaveLength(2);
    expect(await block('0x3')).toEqual([]);
  });

  it('that cannot be traced says why', async () => {
    const messageOf = async (id: unknown) => (await rpc.call('debug_traceBlockByNumber', id)).error?.message;
    expect(await messageOf('earliest')).toBe('genesis is not traceable');
    expect(await messageOf('0xff')).toBe('requested height 255 is not yet available; safe latest is 5');
    const { error } = await rpc.call('debug_traceBlockByHash', SLOT(7));
    expect(error?.message).toBe(`could not find block for hash ${bytesToHex(word(7)).toUpperCase()}`);
  });

  it('keeps to the configuration', async () => {
    const messageOf = async (config: unknown) =>
      (await rpc.call('debug_traceBlockByNumber', '0x2', config)).error?.message;
    expect(await messageOf({ tracer: 'callTracer', timeout: 'soon' })).toBe('time: invalid duration "soon"');
    expect(await messageOf({ tracer: 'callTracer', tracerConfig: { withLog: 1 } })).toBe(
      'tracerConfig.withLog must be true or false, not 1',
    );
    const slow = await block('0x2', { tracer: 'callTracer', timeout: '1ns' });
    expect(slow.map(({ error }) => error)).toEqual(Array.from({ length: 4 }, () => 'execution timeout'));
  });
});

describe('a call', () => {
  const call = (...params: unknown[]) => rpc.call('debug_traceCall', ...params);

  it('sees the state after the block, with what it pretends', async () => {
    const request = { from: bob, to: counter, data: SLOT(1) };
    const returned = async (block_: unknown, config: object = {}) =>
      (await call(request, block_, config)) as { result: { returnValue: string } };
    expect((await returned('0x2')).result.returnValue).toBe(SLOT(3));
    expect((await returned('latest')).result.returnValue).toBe(SLOT(6));
    const stateOverrides = { [counter]: { stateDiff: { [SLOT(0)]: SLOT(9) } } };
    expect((await returned('latest', { stateOverrides })).result.returnValue).toBe(SLOT(10));
    const code = '0x43421860005260206000f3';
    const number = {
      stateOverrides: { [counter]: { code } },
      blockOverrides: { number: '0x3', time: '0x0' },
    };
    expect((await returned('latest', number)).result.returnValue).toBe(SLOT(3));
  });

  it('sees the state before a transaction of the block', async () => {
    const request = { from: bob, to: counter, data: SLOT(1) };
    for (const [txIndex, value] of [
      ['0x0', 3],
      ['0x1', 4],
      ['0x2', 5],
    ] as const) {
      const { result } = await call(request, '0x4', { txIndex });
      expect(result).toMatchObject({ returnValue: SLOT(value) });
    }
    expect((await call(request, '0x4', { txIndex: '0x3' })).error?.message).toMatch(/index 3 out of range/);
  });

  it('that cannot start, and one on pending, are errors', async () => {
    const { error } = await call({ from: bob, to: counter, gas: '0x5' }, 'latest');
    expect(error).toEqual({
      code: -32000,
      message: 'tracing failed: intrinsic gas too low: have 5, want 21000',
    });
    const pending = await call({ to: counter }, 'pending');
    expect(pending.error?.message).toBe('tracing on top of pending is not supported');
  });
});
