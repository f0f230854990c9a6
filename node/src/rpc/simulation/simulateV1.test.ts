import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { padLeft, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  FRIEND,
  growBlocks,
  REVERT_DATA,
  REVERTER,
  word,
} from '../testTransactions.fixture.ts';

const [alice, bob] = ACCOUNTS.map(toHexData) as [string, string, string];
const [counter, friend] = [toHexData(COUNTER), toHexData(FRIEND)];
const PRECOMPILE = '0x0000000000000000000000000000000000001004';
const NOBODY = `0x${'ab'.repeat(20)}`;
/** Returns BLOCKHASH of the number in its call data. */
const BLOCKHASH_CODE = '0x5f35405f5260205ff3';
/** Sends its value on to the address in its call data, then logs nothing under topic 7. */
const FORWARDER_CODE = '0x5f5f5f5f345f355af15060075f5fa1';

interface Call {
  readonly returnData: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[];
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}
interface Block extends Record<string, unknown> {
  readonly number: string;
  readonly hash: string;
  readonly calls: readonly Call[];
}

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  records = await growBlocks(rpc);
});
afterAll(() => rpc.close());

async function simulate(
  blockStateCalls: readonly object[],
  options: object = {},
  ...block: unknown[]
): Promise<Block[]> {
  return (await rpc.result('eth_simulateV1', { blockStateCalls, ...options }, ...block)) as Block[];
}
const refusal = async (blockStateCalls: readonly object[], options: object = {}) =>
  (await rpc.call('eth_simulateV1', { blockStateCalls, ...options })).error;

describe('eth_simulateV1', () => {
  it('runs each call on what the ones before left, in its block and in earlier ones', async () => {
    const call = { from: alice, to: counter };
    const [first, second] = await simulate([{ calls: [call, call] }, { calls: [call] }]);
    expect(first!.calls.map(({ returnData }) => returnData)).toEqual([5, 6].map((n) => toHexData(word(n))));
    expect(second!.calls[0]!.returnData).toBe(toHexData(word(7)));
    expect(await rpc.result('eth_call', call)).toBe(toHexData(word(5)));
  });

  it('gives whole blocks that follow the base and each other', async () => {
    const base = records[3]!;
    const [first, second] = await simulate([{ calls: [{ from: alice, to: counter }] }, {}]);
    expect(first).toMatchObject({
      number: '0x5',
      parentHash: toHexData(base.block.id.hash),
      timestamp: toHexQuantity(base.block.header.time.seconds + 1n),
      gasLimit: toHexQuantity(base.gasLimit),
      baseFeePerGas: '0x0',
      gasUsed: first!.calls[0]!.gasUsed,
      uncles: [],
    });
    expect(first!.transactions).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    expect(second).toMatchObject({ number: '0x6', parentHash: first!.hash, transactions: [], calls: [] });
    expect(first!.calls[0]!.logs[0]).toMatchObject({
      address: counter,
      blockHash: first!.hash,
      blockNumber: '0x5',
      transactionHash: (first!.transactions as string[])[0],
      logIndex: '0x0',
    });
  });

  it('gives whole transactions on demand', async () => {
    const [block] = await simulate([{ calls: [{ from: alice, to: friend, value: '0x5' }] }], {
      returnFullTransactions: true,
    });
    expect(block!.transactions).toEqual([
      expect.objectContaining({
        from: alice,
        to: friend,
        value: '0x5',
        type: '0x2',
        nonce: '0x2',
        blockHash: block!.hash,
        transactionIndex: '0x0',
        r: '0x0',
        s: '0x0',
      }),
    ]);
  });

  it('never tells of less gas at most than was used, also where call data has a floor price', async () => {
    const input = `0x${'11'.repeat(100)}`;
    const [block] = await simulate([{ calls: [{ from: alice, to: NOBODY, input }] }]);
    const floor = toHexQuantity(21_000 + 40 * 100);
    expect(block!.calls[0]).toMatchObject({ gasUsed: floor, maxUsedGas: floor });
  });

  it('runs on the block that it is asked for', async () => {
    const [block] = await simulate([{ calls: [{ to: counter }] }], {}, '0x1');
    expect(block).toMatchObject({ number: '0x2', parentHash: toHexData(records[0]!.block.id.hash) });
    expect(block!.calls[0]!.returnData).toBe(toHexData(word(1)));
  });

  it('overrides state and block', async () => {
    const overridden = {
      stateOverrides: { [NOBODY]: { code: '0x4360005260206000f3', balance: '0x64' } },
      blockOverrides: { number: '0x9', time: '0x7fffffff', feeRecipient: friend, baseFeePerGas: '0x7' },
      calls: [{ to: NOBODY }, { from: NOBODY, to: friend, value: '0x64' }],
    };
    const blocks = await simulate([overridden]);
    expect(blocks.map(({ number }) => number)).toEqual(['0x5', '0x6', '0x7', '0x8', '0x9']);
    const block = blocks.at(-1)!;
    expect(block).toMatchObject({ timestamp: '0x7fffffff', miner: friend, baseFeePerGas: '0x7' });
    expect(block.calls.map(({ status }) => status)).toEqual(['0x1', '0x1']);
    expect(block.calls[0]!.returnData).toBe(toHexData(word(9)));
  });

  it('knows the hashes of simulated blocks', async () => {
    const code = { stateOverrides: { [NOBODY]: { code: BLOCKHASH_CODE } } };
    const ask = (height: number) => ({ to: NOBODY, data: toHexData(word(height)) });
    const [first, second] = await simulate([code, { calls: [ask(5), ask(4)] }]);
    const hashes = [first!.hash, toHexData(records[3]!.block.id.hash)];
    expect(second!.calls.map(({ returnData }) => returnData)).toEqual(hashes);
  });

  it('tells reverts and failures apart', async () => {
    const [block] = await simulate([
      { calls: [{ to: toHexData(REVERTER) }, { to: counter, gas: '0x5300' }, { to: counter }] },
    ]);
    expect(block!.calls[0]).toMatchObject({
      status: '0x0',
      returnData: '0x',
      logs: [],
      error: { code: 3, message: 'execution reverted: no luck', data: toHexData(REVERT_DATA) },
    });
    expect(block!.calls[1]!.error).toEqual({ code: -32015, message: 'out of gas' });
    expect(block!.calls[2]!.status).toBe('0x1');
  });

  it('shows transfers of value as logs among the others, in order', async () => {
    const setup = { [NOBODY]: { code: FORWARDER_CODE } };
    const data = toHexData(padLeft(FRIEND, 32));
    const transfer = { from: alice, to: NOBODY, value: '0x5', data };
    const failing = { from: alice, to: toHexData(REVERTER), value: '0x5' };
    const [block] = await simulate([{ stateOverrides: setup, calls: [transfer, failing] }], {
      traceTransfers: true,
    });
    const [sent, failed] = block!.calls;
    const emitter = `0x${'ee'.repeat(20)}`;
    expect(sent!.logs.map(({ address }) => address)).toEqual([emitter, emitter, NOBODY]);
    expect(sent!.logs[1]!.topics).toEqual([
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${NOBODY.slice(2).padStart(64, '0')}`,
      data,
    ]);
    expect(sent!.logs[1]!.data).toBe(toHexData(word(5)));
    expect(failed).toMatchObject({ status: '0x0', logs: [] });
    const [plain] = await simulate([{ stateOverrides: setup, calls: [transfer] }]);
    expect(plain!.calls[0]!.logs.map(({ address }) => address)).toEqual([NOBODY]);
  });

  it('checks transactions like real ones when it validates', async () => {
    const price = { maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: '0x1', gas: '0x186a0' };
    const good = { from: alice, to: counter, ...price };
    const [block] = await simulate([{ calls: [good, { ...good, nonce: '0x3' }] }], { validation: true });
    expect(block!.calls.map(({ status }) => status)).toEqual(['0x1', '0x1']);
    expect(block!.baseFeePerGas).toBe(await rpc.result('eth_baseFee'));
    const checks: [object, number][] = [
      [{ ...good, nonce: '0x1' }, -38010],
      [{ ...good, nonce: '0x9' }, -38011],
      [{ from: alice, to: counter }, -38012],
      [{ ...good, gas: '0x5207' }, -38013],
      [{ ...good, from: NOBODY }, -38014],
    ];
    for (const [call, code] of checks) {
      expect((await refusal([{ calls: [call] }], { validation: true }))?.code, `${code}`).toBe(code);
    }
  });

  it('says in geth’s words why a call cannot start', async () => {
    const sender = '0xc000000000000000000000000000000000000000';
    const poor = await refusal([{ calls: [{ from: sender, to: friend, value: '0x3e8', gas: '0x5208' }] }]);
    expect(poor?.message).toBe(
      'err: insufficient funds for gas * price + value: address 0xC000000000000000000000000000000000000000 have 0 want 1000 (supplied gas 21000)',
    );
  });

  it('collects the fees for whom the block names', async () => {
    const price = { gasPrice: '0x4a817c800', gas: '0x186a0' };
    const balance = { stateOverrides: { [NOBODY]: { code: '0x5f35315f5260205ff3' } } };
    const paying = { blockOverrides: { feeRecipient: bob }, calls: [{ from: alice, to: friend, ...price }] };
    const asking = { calls: [{ to: NOBODY, data: toHexData(padLeft(ACCOUNTS[1]!, 32)) }] };
    const before = BigInt((await rpc.result('eth_getBalance', bob, 'latest')) as string);
    const [, , asked] = await simulate([balance, paying, asking]);
    const after = BigInt(asked!.calls[0]!.returnData);
    expect(after - before).toBe(21_000n * 20n * 10n ** 9n);
  });

  it.each([
    ['no block', [], -32602],
    ['a number that goes back', [{ blockOverrides: { number: '0x4' } }], -38020],
    ['a time that goes back', [{ blockOverrides: { time: '0x1' } }], -38021],
    [
      'a time that stands still',
      [{ blockOverrides: { time: '0x7fffffff' } }, { blockOverrides: { time: '0x7fffffff' } }],
      -38021,
    ],
    [
      'a move of what is no precompile',
      [{ stateOverrides: { [NOBODY]: { movePrecompileToAddress: friend } } }],
      -32000,
    ],
    ['too far a block', [{ blockOverrides: { number: '0x999' } }], -38026],
    ['too many blocks', Array.from({ length: 257 }, () => ({})), -38026],
    ['more gas than the block has', [{ calls: [{ to: friend, gas: '0xfffffff' }] }], -38015],
    ['money that is not there', [{ calls: [{ from: NOBODY, to: friend, value: '0x1' }] }], -38014],
    ['too much init code', [{ calls: [{ data: `0x${'00'.repeat(49_153)}` }] }], -38025],
    [
      'a precompile that moves to itself',
      [{ stateOverrides: { [PRECOMPILE]: { movePrecompileToAddress: PRECOMPILE } } }],
      -38022,
    ],
    [
      'two precompiles in one place',
      [
        {
          stateOverrides: {
            [`0x${'00'.repeat(19)}01`]: { movePrecompileToAddress: NOBODY },
            [PRECOMPILE]: { movePrecompileToAddress: NOBODY },
          },
        },
      ],
      -38023,
    ],
    [
      'two kinds of storage override',
      [{ stateOverrides: { [NOBODY]: { state: {}, stateDiff: {} } } }],
      -32602,
    ],
  ])('refuses %s', async (_what, blocks, code) => {
    expect((await refusal(blocks))?.code).toBe(code);
  });
});
