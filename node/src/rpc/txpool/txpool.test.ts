import { afterAll, beforeAll, expect, it } from 'vitest';
import { toChecksumAddress, toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, COUNTER, growBlocks, sign } from '../testTransactions.fixture.ts';

const [alice, bob] = ACCOUNTS.map((account) => toChecksumAddress(account));
let rpc: RpcFixture;
beforeAll(async () => {
  rpc = await openRpcFixture({ methods: { maxPoolTransactions: 3 } });
  await growBlocks(rpc);
  const transactions = [
    sign(0, { nonce: 2n, to: COUNTER, value: 5n }),
    sign(0, { nonce: 3n }),
    sign(0, { nonce: 7n, to: COUNTER }),
    sign(1, { nonce: 9n, to: COUNTER }),
  ];
  for (const { raw } of transactions) await rpc.result('eth_sendRawTransaction', toHexData(raw));
});
afterAll(() => rpc.close());

type Senders = Record<string, Record<string, { readonly hash: string; readonly nonce: string }>>;

it('lists the pool by checksummed sender and decimal nonce, up to its limit', async () => {
  const { pending, queued } = (await rpc.result('txpool_content')) as { pending: Senders; queued: Senders };
  expect(Object.keys(pending)).toEqual([alice]);
  expect(Object.keys(pending[alice!]!)).toEqual(['2', '3']);
  expect(pending[alice!]!['2']).toMatchObject({ nonce: '0x2', value: '0x5', blockHash: null });
  // Three in all: the fourth is beyond the limit of this node.
  expect(Object.keys(queued)).toEqual([alice]);
  expect(await rpc.result('txpool_status')).toEqual({ pending: '0x2', queued: '0x2' });
});

it('lists one sender, and nothing for one without transactions', async () => {
  const from = (await rpc.result('txpool_contentFrom', bob)) as { pending: object; queued: object };
  expect(Object.keys(from.pending)).toEqual([]);
  expect(Object.keys(from.queued)).toEqual(['9']);
  const nobody = toHexData(ACCOUNTS[2]!);
  expect(await rpc.result('txpool_contentFrom', nobody)).toEqual({ pending: {}, queued: {} });
});

it('sums a transaction up in a line', async () => {
  const { pending } = (await rpc.result('txpool_inspect')) as { pending: Senders };
  expect(pending[alice!]).toEqual({
    '2': `${toChecksumAddress(COUNTER)}: 5 wei + 300000 gas × 20000000000 wei`,
    '3': 'contract creation: 0 wei + 300000 gas × 20000000000 wei',
  });
});
