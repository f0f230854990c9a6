import { describe, expect, it } from 'vitest';
import { NAMESPACES } from './namespaces.ts';
import { openRpcFixture } from './rpc.fixture.ts';

describe('namespaces', () => {
  it('are those of the tables', () => {
    expect(NAMESPACES).toEqual(
      expect.arrayContaining(['chain', 'chain2', 'debug', 'eth', 'net', 'rpc', 'txpool', 'web3']),
    );
  });

  it('that a listener does not serve have no methods there, and are not listed', async () => {
    const rpc = await openRpcFixture({ apis: ['eth', 'rpc'] });
    try {
      expect(await rpc.result('eth_blockNumber')).toBe('0x0');
      expect(await rpc.result('rpc_modules')).toEqual({ eth: '1.0', rpc: '1.0' });
      for (const method of ['debug_traceBlockByNumber', 'txpool_status', 'chain_getLedgerTx', 'eth']) {
        expect((await rpc.call(method)).error).toMatchObject({ code: -32601 });
      }
      const socket = new WebSocket(rpc.wsUrl);
      await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
      const answer = new Promise((answered) => {
        socket.addEventListener('message', ({ data }) => answered(JSON.parse(data)), { once: true });
      });
      socket.send('{"jsonrpc":"2.0","id":1,"method":"txpool_status"}');
      expect(await answer).toMatchObject({ result: {} });
      socket.close();
    } finally {
      await rpc.close();
    }
  });
});
