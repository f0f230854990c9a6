import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddress } from '../../evm/index.ts';
import { hexToBytes, toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, FRIEND, growBlocks, REVERTER, sign, word } from '../testTransactions.fixture.ts';

const hex = toHexData;
const [alice, , carol] = ACCOUNTS.map(hex) as [string, string, string];
const counter = hex(COUNTER);
const SLOT_0 = hex(word(0));
const ALL = ['trace', 'stateDiff'];
/** Sends its value on to the account of the first word of the call data, then destroys itself for it. */
const FORWARDER = hexToBytes('6000600060006000346000355af1506000 35ff'.replaceAll(' ', ''));
const FORWARDER_INIT = Buffer.concat([
  hexToBytes(`60${FORWARDER.length.toString(16)}80600b6000396000f3`),
  FORWARDER,
]);

interface Frame {
  readonly action: Record<string, string>;
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly type: string;
  readonly blockNumber?: number;
}
interface Replay {
  readonly output: string;
  readonly stateDiff: Record<string, Record<string, unknown>> | null;
  readonly trace: readonly Frame[];
  readonly vmTrace: null;
  readonly transactionHash?: string;
}

let rpc: RpcFixture;
let transactions: string[];
const forwarder = createAddress(ACCOUNTS[0]!, 2n);
beforeAll(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
  ({ transactions } = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as { transactions: string[] });
  await rpc.block(sign(0, { nonce: 2n, data: FORWARDER_INIT }));
  const data = Buffer.concat([new Uint8Array(12), FRIEND]);
  await rpc.block(sign(0, { nonce: 3n, to: forwarder, data, value: 5n }));
});
afterAll(() => rpc.close());

describe('a replay', () => {
  it('shows the output, the flat trace without its place, and what changed', async () => {
    const replay = (await rpc.result('trace_replayTransaction', transactions[0], ALL)) as Replay;
    expect(replay).toMatchObject({ output: hex(word(1)), vmTrace: null });
    expect(replay.trace).toHaveLength(1);
    expect(Object.keys(replay.trace[0]!)).not.toContain('blockHash');
    expect(replay.stateDiff![counter]).toEqual({
      balance: '=',
      code: '=',
      nonce: '=',
      storage: { [SLOT_0]: { '*': { from: hex(word(0)), to: hex(word(1)) } } },
    });
    expect(replay.stateDiff![alice]).toMatchObject({
      nonce: { '*': { from: '0x0', to: '0x1' } },
      balance: { '*': { from: '0x3635c9adc5dea00000' } },
    });
  });

  it('tells what was born', async () => {
    const replay = (await rpc.result('trace_replayTransaction', transactions[2], ALL)) as Replay;
    expect(replay.stateDiff![hex(FRIEND)]).toEqual({
      balance: { '+': '0x3e8' },
      code: { '+': '0x' },
      nonce: { '+': '0x0' },
      storage: {},
    });
  });

  it('shows what is asked for only, and refuses vmTrace by name', async () => {
    expect(await rpc.result('trace_replayTransaction', transactions[0], ['trace'])).toMatchObject({
      stateDiff: null,
    });
    expect(await rpc.result('trace_replayTransaction', transactions[0], [])).toEqual({
      output: hex(word(1)),
      stateDiff: null,
      trace: [],
      vmTrace: null,
    });
    expect(await rpc.call('trace_replayTransaction', transactions[0], ['vmTrace'])).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/vmTrace is not offered/) },
    });
  });

  it('of a block has an entry for each transaction, the same as alone', async () => {
    const all = (await rpc.result('trace_replayBlockTransactions', '0x2', ALL)) as Replay[];
    const each = await Promise.all(
      transactions.map(async (transactionHash) => ({
        ...((await rpc.result('trace_replayTransaction', transactionHash, ALL)) as Replay),
        transactionHash,
      })),
    );
    expect(all).toEqual(each);
    expect(await rpc.result('trace_replayBlockTransactions', '0x3', ALL)).toEqual([]);
    expect(all[1]!.trace[0]).toMatchObject({ error: 'Reverted' });
  });
});

describe('a call', () => {
  it('is run on the state after the block that it names, and changes nothing', async () => {
    const at = async (block: string) =>
      ((await rpc.result('trace_call', { from: alice, to: counter }, ALL, block)) as Replay).output;
    expect(await at('0x1')).toBe(hex(word(1)));
    expect(await at('0x3')).toBe(hex(word(3)));
    expect(await at('0x3')).toBe(hex(word(3)));
    expect(await rpc.call('trace_call', { to: counter }, [], 'pending')).toMatchObject({
      error: { code: -32000, message: 'tracing on top of pending is not supported' },
    });
  });

  it('sees in a list what the ones before left, and tells its own changes', async () => {
    const call = { from: carol, to: counter };
    const list = [
      [call, ['trace']],
      [call, ALL],
    ];
    const [first, second] = (await rpc.result('trace_callMany', list, '0x1')) as Replay[];
    expect([first!.output, second!.output]).toEqual([hex(word(1)), hex(word(2))]);
    expect(second!.stateDiff![counter]!.storage).toEqual({
      [SLOT_0]: { '*': { from: hex(word(1)), to: hex(word(2)) } },
    });
    expect(await rpc.result('trace_callMany', [])).toEqual([]);
    const tooMany = Array.from({ length: 101 }, () => [call, []]);
    expect(await rpc.call('trace_callMany', tooMany)).toMatchObject({ error: { code: -32602 } });
  });

  it('that cannot be run is refused, and names its place in a list', async () => {
    const poor = { from: hex(FRIEND), to: counter, value: '0xffffffffffff' };
    const error = { code: -32000, message: expect.stringMatching(/call 1: .*insufficient funds/) };
    expect(
      await rpc.call('trace_callMany', [
        [{ to: counter }, []],
        [poor, []],
      ]),
    ).toMatchObject({ error });
  });

  it('may be a signed transaction, which is not handed in', async () => {
    const transaction = sign(2, { to: COUNTER, nonce: 2n });
    const before = await rpc.result('eth_getTransactionCount', carol, 'pending');
    const replay = (await rpc.result('trace_rawTransaction', hex(transaction.raw), ALL)) as Replay;
    expect(replay.trace[0]!.action).toMatchObject({ from: carol, to: counter });
    expect(replay.stateDiff![carol]).toHaveProperty('nonce.*');
    expect(await rpc.result('eth_getTransactionCount', carol, 'pending')).toBe(before);
    expect(await rpc.call('trace_rawTransaction', '0x02c0', ALL)).toMatchObject({ error: { code: -32000 } });
  });
});

describe('trace_get', () => {
  it('gives the call at a place of the tree, or null', async () => {
    const {
      transactions: [hash],
    } = (await rpc.result('eth_getBlockByNumber', '0x6', false)) as {
      transactions: string[];
    };
    const all = (await rpc.result('trace_transaction', hash)) as Frame[];
    expect(all.map(({ type, traceAddress }) => [type, traceAddress])).toEqual([
      ['call', []],
      ['call', [0]],
      ['suicide', [1]],
    ]);
    expect(await rpc.result('trace_get', hash, ['0x1'])).toEqual(all[2]);
    expect(await rpc.result('trace_get', hash, [])).toEqual(all[0]);
    expect(await rpc.result('trace_get', hash, ['0x1', '0x0'])).toBeNull();
  });
});

describe('trace_filter', () => {
  const filter = async (wish: object) => (await rpc.result('trace_filter', wish)) as Frame[];

  it('gives all traces of the blocks where nobody is named, and a part of them on demand', async () => {
    const all = await filter({});
    const blocks = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((block) => rpc.result('trace_block', `0x${block}`) as Promise<Frame[]>),
    );
    expect(all).toEqual(blocks.flat());
    expect(await filter({ after: 2, count: 3 })).toEqual(all.slice(2, 5));
    expect(await filter({ count: 0 })).toEqual([]);
    expect(await filter({ fromBlock: '0x2', toBlock: '0x2' })).toEqual(blocks[1]);
  });

  it('matches senders, receivers, either, or both', async () => {
    const places = (frames: Frame[]) =>
      frames.map(({ blockNumber, traceAddress }) => [blockNumber, traceAddress]);
    const inner = { fromAddress: [hex(forwarder)] };
    expect(places(await filter(inner))).toEqual([
      [6, [0]],
      [6, [1]],
    ]);
    const toFriend = { toAddress: hex(FRIEND) };
    expect(places(await filter({ ...inner, ...toFriend, mode: 'intersection' }))).toHaveLength(2);
    expect(places(await filter({ ...inner, ...toFriend }))).toEqual([
      [2, []],
      [6, [0]],
      [6, [1]],
    ]);
    // A creation goes to what it created.
    expect(await filter({ toAddress: [counter], toBlock: '0x1' })).toMatchObject([{ type: 'create' }]);
    expect(await filter({ fromAddress: [hex(REVERTER)] })).toEqual([]);
  });

  it('has the limits of log queries', async () => {
    const small = await openRpcFixture({ methods: { maxLogBlocks: 2 } });
    try {
      for (let i = 0; i < 3; i++) await small.block();
      expect(await small.call('trace_filter', {})).toMatchObject({
        error: { code: -32000, message: 'block range too large (3), maximum allowed is 2 blocks' },
      });
      expect(await small.call('trace_filter', { fromBlock: '0x3', toBlock: '0x2' })).toMatchObject({
        error: { message: 'requested fromBlock 3 is greater than toBlock 2' },
      });
    } finally {
      await small.close();
    }
  });
});
