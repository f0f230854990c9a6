import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHexData, toHexQuantity } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import { LEGACY_METHODS } from './legacy/legacyMethods.ts';
import { METHODS } from './methods.ts';
import { openRpcFixture, type RpcFixture } from './rpc.fixture.ts';
import type { Need, RpcMethod } from './rpcMethod.ts';
import { ACCOUNTS, growBlocks } from './testTransactions.fixture.ts';

const BLOCKS_FLOOR = 3;
const STATE_FLOOR = 4;
/** Below both floors. */
const PRUNED = 2;
/** Held as a block; the state before it is gone. */
const HELD = 4;
const address = toHexData(ACCOUNTS[0]!);

/** What a parameter of this name takes; a block is the pruned one. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  address,
  block: toHexQuantity(PRUNED),
  blockCount: '0x1',
  call: { to: address },
  calls: [],
  criteria: { fromBlock: toHexQuantity(PRUNED), toBlock: toHexQuantity(HELD) },
  fullTransactions: true,
  index: '0x0',
  keys: [],
  maxResult: 1,
  newestBlock: toHexQuantity(PRUNED),
  page: 0,
  pageSize: 5,
  payload: { blockStateCalls: [{}] },
  rewardPercentiles: [],
  requests: { [address]: ['0x0'] },
  slot: '0x0',
  startKey: '0x00',
  transactionIndex: 0,
  types: ['trace'],
};
const BY_HEIGHT = new Set(['block', 'newestBlock', 'criteria']);
const FLOORS: Readonly<Record<Need, number>> = {
  blocks: BLOCKS_FLOOR,
  receipts: BLOCKS_FLOOR,
  state: STATE_FLOOR,
  stateBefore: STATE_FLOOR + 1,
  /** The fixture's state commit keeps 2 versions. */
  get proofs() {
    return rpc.chain.height - 1;
  },
};

let rpc: RpcFixture;
let records: BlockRecord[];
beforeAll(async () => {
  rpc = await openRpcFixture({ legacyMethods: LEGACY_METHODS, split: false });
  records = await growBlocks(rpc);
  await rpc.prune({ state: STATE_FLOOR, blocks: BLOCKS_FLOOR });
});
afterAll(() => rpc.close());

const needy = METHODS.filter(
  ({ needs = [], params }) => needs.length > 0 && params.some(({ name }) => BY_HEIGHT.has(name)),
);
const firstWithAll = ({ needs = [] }: RpcMethod) => Math.max(...needs.map((need) => FLOORS[need]));
const paramsOf = ({ params }: RpcMethod, given = ARGUMENTS) =>
  params.filter(({ name, required }) => required || BY_HEIGHT.has(name)).map(({ name }) => given[name]);

describe.each(needy.map((method) => [method.name, method] as const))(
  '%s of a pruned height',
  (name, method) => {
    it('says what is missing and the first height that has it', async () => {
      const params = paramsOf(method);
      expect(params).not.toContain(undefined);
      const { error } = await rpc.call(name, ...params);
      const earliest = toHexQuantity(firstWithAll(method));
      expect(error).toMatchObject({ code: -32000, data: { earliest } });
      expect(error!.message).toContain(String(firstWithAll(method)));
      const kinds = method.needs!.map((need) => (need === 'stateBefore' ? 'state' : need));
      expect((error!.data as { missing: Need[] }).missing.toSorted()).toEqual(kinds.toSorted());
    });

    it('says so for EIP-1898 forms', async () => {
      const block = { blockNumber: toHexQuantity(PRUNED) };
      const { error } = await rpc.call(name, ...paramsOf(method, { ...ARGUMENTS, block }));
      // Methods that take a number alone refuse the form itself.
      expect([-32000, -32602]).toContain(error?.code);
      if (error?.code === -32000) expect(error.data).toHaveProperty('earliest');
    });
  },
);

describe('a held block whose state is gone', () => {
  const hash = () => toHexData(records[HELD - 2]!.block.id.hash);
  const refusal = { code: -32000, data: { missing: ['state'], earliest: toHexQuantity(STATE_FLOOR) } };

  it('is refused by its hash', async () => {
    for (const method of METHODS.filter(
      ({ needs, params }) => needs?.includes('state') && params.some(takesBlockId),
    )) {
      const params = paramsOf(method, { ...ARGUMENTS, block: { blockHash: hash() } });
      const { error } = await rpc.call(method.name, ...params);
      if (error?.code !== -32602) expect(error, method.name).toMatchObject(refusal);
    }
  });

  it('cannot be traced, and the error names the first that can', async () => {
    const block = toHexQuantity(HELD);
    const [transaction] = records[HELD - 1]!.receipts;
    const calls: [string, ...unknown[]][] = [
      ['debug_traceBlockByNumber', block],
      ['debug_traceBlockByHash', toHexData(records[HELD - 1]!.block.id.hash)],
      ['debug_traceTransaction', toHexData(transaction!.transactionHash)],
      ['debug_traceCall', { to: address }, block, { txIndex: '0x0' }],
      ['debug_storageRangeAt', toHexData(records[HELD - 1]!.block.id.hash), 0, address, '0x', 5],
      ['chain_traceBlockByNumberExcludeTraceFail', block],
    ];
    for (const [method, ...params] of calls) {
      const { error } = await rpc.call(method, ...params);
      const earliest = toHexQuantity(STATE_FLOOR + 1);
      expect(error, method).toMatchObject({ code: -32000, data: { missing: ['state'], earliest } });
      expect(error!.message).toMatch(
        new RegExp(`(earliest available|first block that can be) is ${STATE_FLOOR + 1}\\b`),
      );
    }
  });
});

describe('a held block whose receipts are gone', () => {
  const FLOOR = 4;
  const HEIGHT = 2;
  let chain: RpcFixture;
  let grown: BlockRecord[];
  beforeAll(async () => {
    chain = await openRpcFixture({ legacyMethods: LEGACY_METHODS, split: false });
    grown = await growBlocks(chain);
    await chain.prune({ receipts: FLOOR });
  });
  afterAll(() => chain.close());
  const gone = { code: -32000, data: { missing: ['receipts'], earliest: toHexQuantity(FLOOR) } };

  it('is refused by every method that needs them, which names their own floor', async () => {
    const block = toHexQuantity(HEIGHT);
    const given = { ...ARGUMENTS, block, newestBlock: block, criteria: { fromBlock: block, toBlock: block } };
    const needing = needy.filter(({ needs }) => needs!.includes('receipts'));
    expect(needing.length).toBeGreaterThan(8);
    for (const method of needing) {
      const { error } = await chain.call(method.name, ...paramsOf(method, given));
      expect(error, method.name).toMatchObject(gone);
    }
    const blockHash = toHexData(grown[HEIGHT - 1]!.block.id.hash);
    expect((await chain.call('eth_getLogs', { blockHash })).error).toMatchObject(gone);
    expect((await chain.call('eth_getBlockByHash', blockHash, false)).error).toMatchObject(gone);
  });

  it('is not found by its transactions, as pruned blocks are not', async () => {
    const hash = toHexData(grown[HEIGHT - 1]!.receipts[0]!.transactionHash);
    expect(await chain.result('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await chain.result('eth_getTransactionByHash', hash)).toBeNull();
    const held = toHexData(grown[FLOOR - 1]!.receipts[0]!.transactionHash);
    expect(await chain.result('eth_getTransactionReceipt', held)).not.toBeNull();
  });

  it('leaves what begins at the earliest to begin at their floor', async () => {
    const oldestBlock = toHexQuantity(FLOOR);
    expect(await chain.result('eth_feeHistory', '0x9', 'latest', [])).toMatchObject({ oldestBlock });
    expect((await chain.call('eth_getLogs', { fromBlock: 'earliest' })).error).toMatchObject(gone);
  });
});

const takesBlockId = ({ name }: { readonly name: string }): boolean => name === 'block';

describe('the first block of a chain', () => {
  it.each([1, 7])('is traced on genesis when it is %i', async (initialHeight) => {
    const chain = await openRpcFixture({ initialHeight, split: false });
    try {
      const [{ receipts, block }] = (await growBlocks(chain)) as [BlockRecord];
      const number = toHexQuantity(initialHeight);
      const trace = { tracer: 'callTracer' };
      const traces = await chain.result('debug_traceBlockByNumber', number, trace);
      expect(traces).toEqual(
        receipts.map(({ transactionHash, gasUsed }) => ({
          txHash: toHexData(transactionHash),
          result: expect.objectContaining({ type: 'CREATE', gasUsed: toHexQuantity(gasUsed) }),
        })),
      );
      const [{ txHash }, last] = traces as [{ txHash: string }, { txHash: string; result: unknown }];
      expect(await chain.result('debug_traceTransaction', txHash, trace)).toMatchObject({ type: 'CREATE' });
      const before = { tracer: 'prestateTracer' };
      const sender = toHexData(ACCOUNTS[1]!);
      expect(await chain.result('debug_traceTransaction', last.txHash, before)).toMatchObject({
        [sender]: { nonce: 1 },
      });
      const contract = toHexData(receipts[0]!.contractAddress!);
      const hash = toHexData(block.id.hash);
      const call = await chain.result('debug_traceCall', { to: contract }, number, {
        ...trace,
        txIndex: '0x0',
      });
      expect(call).toMatchObject({ type: 'CALL', gasUsed: toHexQuantity(21_000) });
      expect(await chain.result('debug_storageRangeAt', hash, 1, contract, '0x', 5)).toEqual({
        storage: {},
        nextKey: null,
      });
    } finally {
      await chain.close();
    }
  });
});
