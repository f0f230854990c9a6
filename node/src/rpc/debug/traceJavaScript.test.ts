import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, COUNTER_CODE, growBlocks, word } from '../testTransactions.fixture.ts';

const counter = toHexData(COUNTER);
const alice = toHexData(ACCOUNTS[0]!);
const hex = (last: number): string => toHexData(word(last));

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

async function trace(tracer: string, more: object = {}): Promise<unknown> {
  const hash = toHexData(records[1]!.receipts[0]!.transactionHash);
  const { result, error } = await rpc.call('debug_traceTransaction', hash, { tracer, ...more });
  return error ? error.message : result;
}

describe('a tracer of JavaScript', () => {
  it('counts and collects steps', async () => {
    const tracer = `{ops: [], step: function(log, db) { this.ops.push(log.op.toString() + log.stack.length()); },
      fault: function() {}, result: function() { return {count: this.ops.length, first: this.ops.slice(0, 3)}; }}`;
    const { structLogs } = (await rpc.result(
      'debug_traceTransaction',
      toHexData(records[1]!.receipts[0]!.transactionHash),
    )) as {
      structLogs: unknown[];
    };
    expect(await trace(tracer)).toEqual({ count: structLogs.length, first: ['PUSH10', 'SLOAD1', 'PUSH11'] });
  });

  it('looks at stack, memory, contract, state and the transaction', async () => {
    const tracer = `{seen: {}, setup: function(config) { this.config = JSON.parse(config); }, fault: function() {},
      step: function(log, db) {
        if (log.op.toString() !== 'RETURN') return;
        var own = log.contract.getAddress();
        this.seen = {pc: log.getPC(), push: log.op.isPush(), depth: log.getDepth(), cost: log.getCost(),
          size: log.stack.peek(1).toString(), memory: toHex(log.memory.slice(0, 32)), sum: log.memory.getUint(0).plus(1).toString(),
          caller: toHex(log.contract.getCaller()), input: toHex(log.contract.getInput()), value: log.contract.getValue().toString(),
          code: toHex(db.getCode(own)).length, nonce: db.getNonce(own), exists: db.exists(toAddress('0x${'77'.repeat(20)}')),
          slot: toHex(db.getState(own, toWord('0x00'))), precompiled: isPrecompiled(toAddress('0x09')),
          created: toHex(toContract(own, 1)).length};
      },
      result: function(ctx) { return {config: this.config, seen: this.seen, to: toHex(ctx.to), type: ctx.type,
        from: toHex(ctx.from), output: toHex(ctx.output), block: ctx.block, used: ctx.gasUsed, index: ctx.txIndex}; }}`;
    const { gasUsed } = records[1]!.receipts[0]!;
    expect(await trace(tracer, { tracerConfig: { deep: 7 } })).toEqual({
      config: { deep: 7 },
      seen: {
        pc: COUNTER_CODE.length - 1,
        push: false,
        depth: 1,
        cost: 0,
        size: '32',
        memory: hex(1),
        sum: '2',
        caller: alice,
        input: hex(1),
        value: '0',
        code: 2 + 2 * COUNTER_CODE.length,
        nonce: 1,
        exists: false,
        slot: hex(1),
        precompiled: true,
        created: 42,
      },
      to: counter,
      type: 'CALL',
      from: alice,
      output: hex(1),
      block: 2,
      used: Number(gasUsed),
      index: 0,
    });
  });

  it('is told of frames and faults', async () => {
    const tracer = `{list: [], enter: function(f) { this.list.push(f.getType() + toHex(f.getTo()).slice(0, 4) + f.getValue()); },
      exit: function(r) { this.list.push(r.getGasUsed() > 0, r.getError()); }, fault: function(log) { this.list.push('fault ' + log.getError()); },
      result: function() { return this.list; }}`;
    const inner = `0x${'22'.repeat(20)}`;
    const stateOverrides = {
      [counter]: { code: `0x5f5f5f5f5f73${inner.slice(2)}5af1` },
      [inner]: { code: '0x5f56' },
    };
    const { result } = await rpc.call('debug_traceCall', { to: counter }, 'latest', {
      tracer,
      stateOverrides,
    });
    expect(result).toEqual(['CALL0x220', 'fault invalid jump destination', true, 'invalid jump destination']);
  });

  it('that fails or is none says so', async () => {
    const failing =
      "{step: function() { throw new Error('no'); }, fault: function() {}, result: function() {}}";
    expect(await trace(failing)).toBe("Error: no    in server-side tracer function 'step'");
    expect(await trace('noSuchTracer')).toMatch(/^ReferenceError: .*noSuchTracer.* is not defined$/);
    expect(await trace('{result: function() {}}')).toBe(
      'TypeError: trace object must expose a function fault()',
    );
  });

  it('finds nothing of this machine, and ends when its time or memory is up', async () => {
    const names = ['process', 'require', 'fetch', 'setTimeout', 'console', 'performance'];
    const looks = `{fault: function() {}, result: function() { return [${names
      .map((name) => `typeof ${name}`)
      .join(',')}]; }}`;
    expect(new Set((await trace(looks)) as string[])).toEqual(new Set(['undefined']));
    const spins = '{fault: function() {}, step: function() { for (;;) {} }, result: function() {}}';
    expect(await trace(spins, { timeout: '100ms' })).toBe('execution timeout');
    const grows = "{fault: function() {}, result: function() { var s = 'x'; for (;;) s += s + s; }}";
    expect(await trace(grows)).toMatch(/out of memory|string too long|invalid string length/i);
    const recurses =
      '{fault: function() {}, result: function() { var f = function() { return f() + 1; }; return f(); }}';
    expect(await trace(recurses)).toMatch(/stack/i);
  });
});
