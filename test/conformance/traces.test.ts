import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConformanceChain, startConformanceChain } from './conformanceChain.ts';

interface Trace {
  readonly gas: number;
  readonly failed: boolean;
  readonly structLogs: readonly { readonly op: string }[];
}
interface Entry {
  readonly txHash: string;
  readonly result: Trace;
}

let chain: ConformanceChain;
let call: ConformanceChain['call'];
beforeAll(async () => {
  chain = await startConformanceChain();
  ({ call } = chain);
});
afterAll(() => chain?.close());

describe('traces on the split layout', () => {
  it('debug_traceTransaction gives the trace of a mined transaction, with options and without', async () => {
    const [, , hash] = chain.transactions;
    const trace = await call<Trace>('debug_traceTransaction', hash);
    const { gasUsed } = await call<{ gasUsed: string }>('eth_getTransactionReceipt', hash);
    expect(trace).toMatchObject({ gas: Number(gasUsed), failed: false });
    expect(trace.structLogs.map(({ op }) => op)).toContain('SSTORE');
    expect(await call('debug_traceTransaction', hash, { tracer: 'callTracer', timeout: '5s' })).toMatchObject(
      {
        type: 'CALL',
        from: chain.alice,
        to: chain.counter,
        gasUsed,
      },
    );
    expect(await call<Trace>('debug_traceTransaction', chain.failed, {})).toMatchObject({ failed: true });
  });

  it('debug_traceBlockByNumber gives a result for latest and an empty options object', async () => {
    const [entry] = await call<Entry[]>('debug_traceBlockByNumber', 'latest', {});
    expect(entry).toMatchObject({ txHash: chain.failed, result: { failed: true } });
    for (const tag of ['safe', 'finalized', 'pending']) {
      expect(await call('debug_traceBlockByNumber', tag)).toEqual([entry]);
    }
    const [traced] = await call<Entry[]>('debug_traceBlockByNumber', chain.block.number);
    expect(traced).toEqual({
      txHash: chain.transactions[2],
      result: await call('debug_traceTransaction', chain.transactions[2]),
    });
  });

  it('debug_traceBlockByHash gives the same as by number', async () => {
    const byNumber = await call('debug_traceBlockByNumber', chain.block.number);
    expect(await call('debug_traceBlockByHash', chain.block.hash)).toEqual(byNumber);
  });
});
