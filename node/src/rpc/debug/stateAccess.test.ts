import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storageKey } from '../../evm/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, FRIEND, growBlocks, REVERTER, word } from '../testTransactions.fixture.ts';

const hex = toHexData;
const [alice, bob, carol] = ACCOUNTS.map(hex) as [string, string, string];

let rpc: RpcFixture;
let transactions: string[];
beforeAll(async () => {
  rpc = await openRpcFixture();
  await growBlocks(rpc);
  ({ transactions } = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as { transactions: string[] });
});
afterAll(() => rpc.close());

describe('modified accounts', () => {
  it('are those that transactions wrote, of one block or of several', async () => {
    const second = (await rpc.result('debug_getModifiedAccountsByNumber', '0x2')) as string[];
    for (const account of [alice, bob, carol, hex(COUNTER), hex(FRIEND)]) expect(second).toContain(account);
    expect(second).not.toContain(hex(REVERTER));
    expect(await rpc.result('debug_getModifiedAccountsByNumber', '0x3')).toEqual([]);
    const fourth = (await rpc.result('debug_getModifiedAccountsByNumber', 4)) as string[];
    expect(fourth).not.toContain(hex(FRIEND));
    expect(await rpc.result('debug_getModifiedAccountsByNumber', '0x1', '0x4')).toEqual(
      [...new Set([...second, ...fourth])].sort(),
    );
    const { hash } = (await rpc.result('eth_getBlockByNumber', '0x2', false)) as { hash: string };
    expect(await rpc.result('debug_getModifiedAccountsByHash', hash)).toEqual(second);
  });

  it('are refused for a range that goes back or does not exist', async () => {
    expect(await rpc.call('debug_getModifiedAccountsByNumber', '0x3', '0x2')).toMatchObject({
      error: { message: 'start block height (3) must be less than end block height (2)' },
    });
    expect(await rpc.call('debug_getModifiedAccountsByNumber', '0x2', '0xff')).toMatchObject({
      error: { code: -32000 },
    });
  });
});

describe('rows that a transaction reads', () => {
  interface Access {
    readonly app: Record<string, Record<string, string | null>>;
    readonly tendermint: { readonly number: string; readonly txs: readonly string[] };
    readonly receipt: unknown;
  }

  it('are all that the transaction needs, and nothing that another one read', async () => {
    const slot = hex(storageKey(COUNTER, word(0)));
    const accessOf = async (hash: string) => (await rpc.result('debug_traceStateAccess', hash)) as Access;
    const first = await accessOf(transactions[0]!);
    expect(first.app[STORE.evm]).toMatchObject({ [slot]: null });
    // What the transactions before it wrote is what it reads.
    const last = await accessOf(transactions[3]!);
    expect(last.app[STORE.evm]).toMatchObject({ [slot]: hex(word(1)) });
    expect(last.app[STORE.evm]).not.toHaveProperty(
      `0x${EVM_PREFIX.nonce.toString(16).padStart(2, '0')}${alice.slice(2)}`,
    );
    expect(last.tendermint).toMatchObject({ number: '0x2' });
    expect(last.tendermint.txs).toHaveLength(4);
    expect(last.receipt).toEqual(await rpc.result('eth_getTransactionReceipt', transactions[3]));
    expect(await rpc.call('debug_traceStateAccess', `0x${'12'.repeat(32)}`)).toMatchObject({
      error: { code: -32000, message: 'receipt not found' },
    });
  });
});
