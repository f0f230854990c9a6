import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NetworkStanding } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { NetworkWatch } from './networkWatch.ts';

/** Time of the fixture's blocks: one a second. */
const timeOf = (height: number): number => 1_700_000_000_000 + height * 1000;
const ALONE: NetworkStanding = { catchingUp: false, peers: 0 };

let standing: NetworkStanding | Error;
let rpc: RpcFixture;
beforeEach(async () => {
  rpc = await openRpcFixture({
    network: async () => {
      if (standing instanceof Error) throw standing;
      return standing;
    },
  });
  for (let height = 1; height <= 3; height++) await rpc.block();
});
afterEach(() => rpc.close());

it('a node that is behind tells how far, and who its peers are', async () => {
  standing = { catchingUp: true, peers: 3 };
  rpc.clock.ms = timeOf(3) + 40_000;
  expect(await rpc.result('eth_syncing')).toEqual({
    startingBlock: '0x0',
    currentBlock: '0x3',
    highestBlock: '0x2b',
  });
  expect(await rpc.result('net_peerCount')).toBe('0x3');
});

it('one that is not tells so, also where its newest block is old', async () => {
  standing = { catchingUp: false, peers: 1 };
  rpc.clock.ms = timeOf(3) + 40_000;
  expect(await rpc.result('eth_syncing')).toBe(false);
});

it('while consensus does not answer, nobody is told that all is well', async () => {
  standing = new Error('CometBFT does not answer: connect ENOENT');
  const error = { code: -32000, message: 'CometBFT does not answer: connect ENOENT' };
  expect((await rpc.call('eth_syncing')).error).toEqual(error);
  expect((await rpc.call('net_peerCount')).error).toEqual(error);
});

it('who subscribed while it was behind is told when it no longer is', async () => {
  standing = { catchingUp: true, peers: 3 };
  rpc.clock.ms = timeOf(3) + 5000;
  const socket = new WebSocket(rpc.wsUrl);
  const results: unknown[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { params } = JSON.parse(String(data)) as { readonly params?: { readonly result: unknown } };
    if (params) results.push(params.result);
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['syncing'] }));
  const status = { startingBlock: '0x0', currentBlock: '0x3', highestBlock: '0x8' };
  await expect.poll(() => results).toEqual([{ syncing: true, status }]);
  standing = ALONE;
  const isTold = async () => {
    await rpc.block();
    return results.length > 1;
  };
  await expect.poll(isTold, { timeout: 10_000 }).toBe(true);
  expect(results.slice(1)).toEqual([false]);
  socket.close();
});

it('a chain of one block has no pace: one more is all that can be told', async () => {
  const history = {
    earliestHeight: rpc.chain.height,
    blockByHeight: () => rpc.chain.lastRecord,
  };
  const watch = new NetworkWatch({
    chain: rpc.chain,
    history,
    clock: { now: () => timeOf(90) },
    network: async () => ({ catchingUp: true, peers: 1 }),
  });
  expect(await watch.progress()).toEqual({ startingBlock: 3, currentBlock: 3, highestBlock: 4 });
});
